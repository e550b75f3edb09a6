package dev.vertlet.kube;

import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;

/**
 * A certificate that signs itself, with its key in one of the forms that a kubeconfig may hold.
 *
 * @param pem the certificate
 * @param keyPem the key
 */
record ClientCertificate(String pem, String keyPem) {
  /** How tools write keys. */
  enum KeyForm {
    /** kubeadm, k3s on RSA. */
    RSA_PKCS1("RSA", "SHA256withRSA", 2048),
    /** {@code openssl genpkey}, cloud consoles. */
    RSA_PKCS8("RSA", "SHA256withRSA", 2048),
    /** k3s, kubeadm with ECDSA. */
    EC_SEC1("EC", "SHA256withECDSA", 256),
    /** {@code openssl ecparam -genkey}: the curve comes before the key. */
    EC_SEC1_WITH_PARAMETERS("EC", "SHA256withECDSA", 256),
    EC_PKCS8("EC", "SHA256withECDSA", 256);

    private final String algorithm;
    private final String signature;
    private final int bits;

    KeyForm(String algorithm, String signature, int bits) {
      this.algorithm = algorithm;
      this.signature = signature;
      this.bits = bits;
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

    private ASN1Encodable sec1(KeyPair keys, ASN1Encodable curve) {
      return new ECPrivateKey(
          bits,
          ((java.security.interfaces.ECPrivateKey) keys.getPrivate()).getS(),
          SubjectPublicKeyInfo.getInstance(keys.getPublic().getEncoded()).getPublicKeyData(),
          curve);
    }
  }

  static ClientCertificate of(String user, KeyForm form)
      throws GeneralSecurityException, IOException, OperatorCreationException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(form.algorithm);
    generator.initialize(form.bits);
    KeyPair keys = generator.generateKeyPair();
    X500Name name = new X500Name("CN=" + user);
    Instant now = Instant.now();
    X509CertificateHolder certificate =
        new JcaX509v3CertificateBuilder(
                name,
                BigInteger.ONE,
                Date.from(now.minus(Duration.ofDays(1))),
                Date.from(now.plus(Duration.ofDays(1))),
                name,
                keys.getPublic())
            .build(new JcaContentSignerBuilder(form.signature).build(keys.getPrivate()));
    return new ClientCertificate(
        block("CERTIFICATE", certificate.toASN1Structure()), form.pem(keys));
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
