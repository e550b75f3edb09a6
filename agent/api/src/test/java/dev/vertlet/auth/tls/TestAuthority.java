package dev.vertlet.auth.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.vertlet.auth.CaBundle;
import dev.vertlet.certificates.Pem;
import java.math.BigInteger;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;

/** An authority that issues what tests need, good and bad. */
public final class TestAuthority {
  public static final ASN1ObjectIdentifier UID = new ASN1ObjectIdentifier("1.3.6.1.4.1.57683.2");

  private static long serial = System.nanoTime();

  private final X500Name name;
  private final KeyPair keys;
  private final String pem;

  private TestAuthority(X500Name name, KeyPair keys, String pem) {
    this.name = name;
    this.keys = keys;
    this.pem = pem;
  }

  /** A certificate and its key, both in PEM. */
  public record Issued(String certificate, String key) {
    byte[] certificateBytes() {
      return certificate.getBytes(US_ASCII);
    }

    byte[] keyBytes() {
      return key.getBytes(US_ASCII);
    }

    public ServingKey parsed() {
      return ServingKey.parse(certificateBytes(), keyBytes());
    }
  }

  public static TestAuthority create(String commonName) {
    return create(commonName, Instant.now().plus(Duration.ofDays(30)));
  }

  public static TestAuthority create(String commonName, Instant until) {
    try {
      KeyPair keys = keys("EC");
      X500Name name = subject(commonName).build();
      var builder =
          builder(name, name, keys, Instant.now().minus(Duration.ofDays(30)), until)
              .addExtension(Extension.basicConstraints, true, new BasicConstraints(true))
              .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign));
      var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate());
      String pem = Pem.encode(Pem.CERTIFICATE, builder.build(signer).getEncoded());
      return new TestAuthority(name, keys, pem);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  public String pem() {
    return pem;
  }

  public CaBundle bundle() {
    return CaBundle.parse(pem.getBytes(US_ASCII));
  }

  public static X500NameBuilder subject(String commonName) {
    X500NameBuilder subject = new X500NameBuilder(BCStyle.INSTANCE);
    return commonName.isEmpty() ? subject : subject.addRDN(BCStyle.CN, commonName);
  }

  public Issued client(String user, String... groups) {
    X500NameBuilder subject = new X500NameBuilder(BCStyle.INSTANCE);
    for (String group : groups) {
      subject.addRDN(BCStyle.O, group);
    }
    return client(subject.addRDN(BCStyle.CN, user).build());
  }

  public Issued client(X500Name subject) {
    Instant now = Instant.now();
    return issue(
        subject,
        now.minus(Duration.ofHours(1)),
        now.plus(Duration.ofHours(1)),
        KeyPurposeId.id_kp_clientAuth,
        List.of());
  }

  public Issued expired(String user) {
    Instant now = Instant.now();
    return issue(
        subject(user).build(),
        now.minus(Duration.ofHours(2)),
        now.minus(Duration.ofHours(1)),
        KeyPurposeId.id_kp_clientAuth,
        List.of());
  }

  public Issued server(String commonName, String... addresses) {
    Instant now = Instant.now();
    return issue(
        subject(commonName).build(),
        now.minus(Duration.ofHours(1)),
        now.plus(Duration.ofHours(1)),
        KeyPurposeId.id_kp_serverAuth,
        List.of(addresses));
  }

  public Issued issue(
      X500Name subject, Instant from, Instant until, KeyPurposeId purpose, List<String> addresses) {
    try {
      KeyPair pair = keys("EC");
      return new Issued(
          sign(subject, pair.getPublic().getEncoded(), from, until, purpose, addresses),
          key(pair.getPrivate()));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** A server's certificate of these keys. */
  String serverOf(KeyPair pair, String commonName) throws Exception {
    Instant now = Instant.now();
    return sign(
        subject(commonName).build(),
        pair.getPublic().getEncoded(),
        now.minus(Duration.ofHours(1)),
        now.plus(Duration.ofHours(1)),
        KeyPurposeId.id_kp_serverAuth,
        List.of());
  }

  /** An authority that this one vouches for. */
  public TestAuthority intermediate(String commonName) {
    try {
      KeyPair pair = keys("EC");
      X500Name subject = subject(commonName).build();
      Instant now = Instant.now();
      var builder =
          builder(name, subject, pair, now.minus(Duration.ofDays(1)), now.plus(Duration.ofDays(1)))
              .addExtension(Extension.basicConstraints, true, new BasicConstraints(true))
              .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign));
      var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate());
      return new TestAuthority(
          subject, pair, Pem.encode(Pem.CERTIFICATE, builder.build(signer).getEncoded()));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Does what the signer of kubelets' serving certificates does with a good request. */
  String sign(byte[] request, Instant from, Instant until) {
    try {
      PKCS10CertificationRequest parsed =
          new JcaPKCS10CertificationRequest(Pem.blocks(request).get(0).der());
      GeneralNames alternatives =
          GeneralNames.fromExtensions(
              parsed.getRequestedExtensions(), Extension.subjectAlternativeName);
      var builder =
          new org.bouncycastle.cert.X509v3CertificateBuilder(
              name,
              BigInteger.valueOf(serial++),
              Date.from(from),
              Date.from(until),
              parsed.getSubject(),
              parsed.getSubjectPublicKeyInfo());
      builder.addExtension(Extension.subjectAlternativeName, false, alternatives);
      var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate());
      return Pem.encode(Pem.CERTIFICATE, builder.build(signer).getEncoded());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private String sign(
      X500Name subject,
      byte[] publicKey,
      Instant from,
      Instant until,
      KeyPurposeId purpose,
      List<String> addresses)
      throws Exception {
    var builder =
        new org.bouncycastle.cert.X509v3CertificateBuilder(
            name,
            BigInteger.valueOf(serial++),
            Date.from(from),
            Date.from(until),
            subject,
            org.bouncycastle.asn1.x509.SubjectPublicKeyInfo.getInstance(publicKey));
    builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose));
    if (!addresses.isEmpty()) {
      builder.addExtension(
          Extension.subjectAlternativeName,
          false,
          new GeneralNames(
              addresses.stream()
                  .map(a -> new GeneralName(GeneralName.iPAddress, a))
                  .toArray(GeneralName[]::new)));
    }
    var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate());
    return Pem.encode(Pem.CERTIFICATE, builder.build(signer).getEncoded());
  }

  private static JcaX509v3CertificateBuilder builder(
      X500Name issuer, X500Name subject, KeyPair pair, Instant from, Instant until) {
    return new JcaX509v3CertificateBuilder(
        issuer,
        BigInteger.valueOf(serial++),
        Date.from(from),
        Date.from(until),
        subject,
        pair.getPublic());
  }

  static KeyPair keys(String algorithm) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
    if (algorithm.equals("EC")) {
      generator.initialize(new ECGenParameterSpec("secp256r1"));
    } else if (algorithm.equals("RSA")) {
      generator.initialize(2048);
    }
    return generator.generateKeyPair();
  }

  static String key(PrivateKey key) {
    return Pem.encode("PRIVATE KEY", key.getEncoded());
  }
}
