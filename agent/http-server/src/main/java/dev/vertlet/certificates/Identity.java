package dev.vertlet.certificates;

import java.security.KeyPair;

/**
 * A private key with its certificate.
 *
 * @param certificatePem the X.509 certificate, or a request for one
 * @param privateKeyPem the private key in PKCS #8
 */
public record Identity(String certificatePem, String privateKeyPem) {
  static Identity of(String label, byte[] der, KeyPair keys) {
    return new Identity(
        Pem.encode(label, der), Pem.encode("PRIVATE KEY", keys.getPrivate().getEncoded()));
  }

  /** Makes a key pair that signs tokens; its "certificate" is the bare public key. */
  public static Identity signingKey() {
    KeyPair keys = KeyPairs.elliptic();
    return of("PUBLIC KEY", keys.getPublic().getEncoded(), keys);
  }

  /** Omits the key: identities end up in log lines and assertion messages. */
  @Override
  public String toString() {
    return "Identity[" + certificatePem + "]";
  }
}
