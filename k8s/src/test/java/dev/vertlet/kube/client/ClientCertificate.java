package dev.vertlet.kube.client;

import dev.vertlet.certificates.CertificateDraft;
import dev.vertlet.certificates.Identity;
import dev.vertlet.certificates.KeyPairs;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;

/**
 * A certificate that signs itself, with its key in one of the forms that a kubeconfig may hold.
 *
 * @param pem the certificate
 * @param keyPem the key
 */
public record ClientCertificate(String pem, String keyPem) {
  /** How tools write keys. */
  public enum KeyForm {
    /** kubeadm, k3s on RSA. */
    RSA_PKCS1,
    /** {@code openssl genpkey}, cloud consoles. */
    RSA_PKCS8,
    /** k3s, kubeadm with ECDSA. */
    EC_SEC1,
    /** {@code openssl ecparam -genkey}: the curve comes before the key. */
    EC_SEC1_WITH_PARAMETERS,
    EC_PKCS8;

    private KeyPair keys() {
      return switch (this) {
        case RSA_PKCS1, RSA_PKCS8 -> KeyPairs.rsa();
        case EC_SEC1, EC_SEC1_WITH_PARAMETERS, EC_PKCS8 -> KeyPairs.elliptic();
      };
    }

    private String pem(KeyPair keys) throws IOException {
      PrivateKeyInfo pkcs8 = PrivateKeyInfo.getInstance(keys.getPrivate().getEncoded());
      ASN1Encodable algorithmParameters = pkcs8.getPrivateKeyAlgorithm().getParameters();
      return switch (this) {
        case RSA_PKCS1 -> block("RSA PRIVATE KEY", pkcs8.parsePrivateKey());
        case EC_SEC1 -> block("EC PRIVATE KEY", sec1(keys, algorithmParameters));
        case EC_SEC1_WITH_PARAMETERS ->
            block("EC PARAMETERS", algorithmParameters)
                + block("EC PRIVATE KEY", sec1(keys, algorithmParameters));
        case RSA_PKCS8, EC_PKCS8 -> block("PRIVATE KEY", pkcs8);
      };
    }

    private static ASN1Encodable sec1(KeyPair keys, ASN1Encodable curve) {
      return new ECPrivateKey(
          256,
          ((java.security.interfaces.ECPrivateKey) keys.getPrivate()).getS(),
          SubjectPublicKeyInfo.getInstance(keys.getPublic().getEncoded()).getPublicKeyData(),
          curve);
    }
  }

  public static ClientCertificate of(String user, KeyForm form) throws IOException {
    KeyPair keys = form.keys();
    Instant now = Instant.now();
    Identity identity =
        CertificateDraft.of(keys, user, "")
            .selfSigned(now.minus(Duration.ofDays(1)), now.plus(Duration.ofDays(1)));
    return new ClientCertificate(identity.certificatePem(), form.pem(keys));
  }

  String pemBase64() {
    return base64(pem);
  }

  String keyBase64() {
    return base64(keyPem);
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String block(String label, ASN1Encodable content) throws IOException {
    StringWriter text = new StringWriter();
    try (PemWriter pem = new PemWriter(text)) {
      pem.writeObject(new PemObject(label, content.toASN1Primitive().getEncoded()));
    }
    return text.toString();
  }

  /** Hides the key. */
  @Override
  public String toString() {
    return "ClientCertificate";
  }
}
