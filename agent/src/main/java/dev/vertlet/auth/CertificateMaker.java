package dev.vertlet.auth;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.stream.Stream;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

/**
 * Creates P-256 keys, self-signed certificates and certificate signing requests. Blocks for some
 * milliseconds, the first time for some hundred.
 */
final class CertificateMaker {
  /** Validity of a kubelet's self-signed certificate. */
  static final Duration SELF_SIGNED_VALIDITY = Duration.ofDays(365);

  /** Backdating for clients whose clocks are slow. */
  private static final Duration BACKDATED = Duration.ofHours(1);

  private static final String ALGORITHM = "SHA256withECDSA";

  /** Prefix of the users for which the kubelet-serving signer signs. */
  static final String NODE_USER = "system:node:";

  static final String NODES_GROUP = "system:nodes";

  private CertificateMaker() {}

  /**
   * A key and its certificate or request.
   *
   * @param document certificate or certificate signing request in PEM
   * @param key PKCS #8 in PEM
   */
  record Made(String document, String key) {
    /** Omits the key. */
    @Override
    public String toString() {
      return "Made[" + document + "]";
    }
  }

  /** Creates a self-signed certificate. */
  static Made selfSigned(String commonName, ServingNames names, Instant now) {
    KeyPair keys = keys();
    X500Name subject = new X500NameBuilder(BCStyle.INSTANCE).addRDN(BCStyle.CN, commonName).build();
    JcaX509v3CertificateBuilder builder =
        new JcaX509v3CertificateBuilder(
            subject,
            new BigInteger(120, new SecureRandom()).add(BigInteger.ONE),
            Date.from(now.minus(BACKDATED)),
            Date.from(now.plus(SELF_SIGNED_VALIDITY)),
            subject,
            keys.getPublic());
    try {
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
      builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
      builder.addExtension(
          Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth));
      builder.addExtension(Extension.subjectAlternativeName, false, alternatives(names));
      byte[] der =
          builder
              .build(new JcaContentSignerBuilder(ALGORITHM).build(keys.getPrivate()))
              .getEncoded();
      return new Made(Pem.encode(Pem.CERTIFICATE, der), key(keys));
    } catch (IOException | OperatorCreationException e) {
      throw new IllegalStateException("this JVM cannot sign certificates", e);
    }
  }

  /** Creates a signing request for a node's serving certificate. */
  static Made request(ServingNames names) {
    KeyPair keys = keys();
    X500Name subject =
        new X500NameBuilder(BCStyle.INSTANCE)
            .addRDN(BCStyle.O, NODES_GROUP)
            .addRDN(BCStyle.CN, NODE_USER + names.node())
            .build();
    try {
      ExtensionsGenerator extensions = new ExtensionsGenerator();
      extensions.addExtension(Extension.subjectAlternativeName, false, alternatives(names));
      byte[] der =
          new JcaPKCS10CertificationRequestBuilder(subject, keys.getPublic())
              .addAttribute(PKCSObjectIdentifiers.pkcs_9_at_extensionRequest, extensions.generate())
              .build(new JcaContentSignerBuilder(ALGORITHM).build(keys.getPrivate()))
              .getEncoded();
      return new Made(Pem.encode("CERTIFICATE REQUEST", der), key(keys));
    } catch (IOException | OperatorCreationException e) {
      throw new IllegalStateException("this JVM cannot sign requests for certificates", e);
    }
  }

  private static GeneralNames alternatives(ServingNames names) {
    return new GeneralNames(
        Stream.concat(
                names.hostNames().stream().map(n -> new GeneralName(GeneralName.dNSName, n)),
                names.addresses().stream().map(a -> new GeneralName(GeneralName.iPAddress, a)))
            .toArray(GeneralName[]::new));
  }

  private static KeyPair keys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM has no elliptic curve P-256", e);
    }
  }

  private static String key(KeyPair keys) {
    return Pem.encode("PRIVATE KEY", keys.getPrivate().getEncoded());
  }
}
