package dev.vertlet.harness.loopback;

import java.security.KeyPair;

/**
 * A key pair and, where a {@link CertificateAuthority} has issued one, its certificate.
 *
 * @param certificatePem the X.509 certificate
 * @param privateKeyPem the private key in PKCS #8
 */
public record Identity(String certificatePem, String privateKeyPem) {

  /** Never the key: identities end up in log lines and assertion messages. */
  @Override
  public String toString() {
    return "Identity[" + certificatePem + "]";
  }

  /** A key pair that signs tokens; its "certificate" is the bare public key. */
  public static Identity signingKey() {
    KeyPair pair = CertificateAuthority.ellipticKeys();
    return new Identity(
        Pem.encode("PUBLIC KEY", pair.getPublic().getEncoded()), Pem.privateKey(pair));
  }
}
