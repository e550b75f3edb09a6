package dev.vertlet.harness.loopback;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.stream.Stream;
import org.bouncycastle.asn1.ASN1Encodable;
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
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * A certificate authority that lives in memory and issues server and client certificates.
 *
 * <p>Servers get elliptic keys because they are made in a millisecond; clients get RSA keys because
 * client libraries take a PKCS #8 key without an algorithm in its label for RSA.
 */
public final class CertificateAuthority {
  /**
   * Machines disagree about the time; a certificate of the last second is "not yet valid" on a slow
   * one.
   */
  private static final Duration CLOCK_SKEW = Duration.ofHours(1);

  /** Longer than any data directory is kept. */
  private static final Duration VALIDITY = Duration.ofDays(3650);

  private static final SecureRandom RANDOM = new SecureRandom();

  private final Clock clock;
  private final X500Name name;
  private final PrivateKey key;
  private final Identity identity;

  private CertificateAuthority(Clock clock, X500Name name, PrivateKey key, Identity identity) {
    this.clock = clock;
    this.name = name;
    this.key = key;
    this.identity = identity;
  }

  private CertificateAuthority(String commonName, KeyPair keys, Clock clock) {
    this.clock = clock;
    this.name = name(commonName, "");
    this.key = keys.getPrivate();
    String certificate =
        sign(
            builder(name, keys, VALIDITY),
            new BasicConstraints(true),
            new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign | KeyUsage.digitalSignature),
            List.of());
    this.identity = new Identity(certificate, Pem.privateKey(keys));
  }

  /**
   * Makes a new authority.
   *
   * @param commonName the subject's common name
   * @param clock says from when its certificates are valid; they are for ten years
   */
  public static CertificateAuthority create(String commonName, Clock clock) {
    return new CertificateAuthority(commonName, ellipticKeys(), clock);
  }

  /**
   * One that was made before.
   *
   * @param identity what its {@link #identity} was
   */
  public static CertificateAuthority of(Identity identity, Clock clock) {
    return new CertificateAuthority(
        clock, Pem.subject(identity.certificatePem()), Pem.ellipticKey(identity), identity);
  }

  /** The certificate that clients have to trust. */
  public String certificatePem() {
    return identity.certificatePem();
  }

  /** Certificate and key, for another program that issues in its name. */
  public Identity identity() {
    return identity;
  }

  /**
   * Issues a server certificate.
   *
   * @param commonName the subject's common name; clients look at the alternative names alone
   * @param dnsNames host names it is valid for
   * @param addresses IP addresses it is valid for
   */
  public Identity issueServer(String commonName, List<String> dnsNames, List<String> addresses) {
    return issueServer(commonName, dnsNames, addresses, VALIDITY);
  }

  /**
   * The same, for a certificate that ends soon.
   *
   * @param life from now; its end is a whole second, that or the one before
   */
  public Identity issueServer(
      String commonName, List<String> dnsNames, List<String> addresses, Duration life) {
    GeneralName[] alternatives =
        Stream.concat(
                dnsNames.stream().map(dns -> new GeneralName(GeneralName.dNSName, dns)),
                addresses.stream().map(ip -> new GeneralName(GeneralName.iPAddress, ip)))
            .toArray(GeneralName[]::new);
    return issue(
        name(commonName, ""),
        ellipticKeys(),
        KeyPurposeId.id_kp_serverAuth,
        life,
        List.of(new Named(Extension.subjectAlternativeName, new GeneralNames(alternatives))));
  }

  /**
   * Issues a client certificate.
   *
   * @param user becomes the common name, which Kubernetes takes for the user's name
   * @param group becomes the organization, which Kubernetes takes for a group
   */
  public Identity issueClient(String user, String group) {
    return issueClient(user, group, VALIDITY);
  }

  /**
   * The same, for a certificate that ends soon.
   *
   * @param life from now; its end is a whole second, that or the one before
   */
  public Identity issueClient(String user, String group, Duration life) {
    return issue(name(user, group), rsaKeys(), KeyPurposeId.id_kp_clientAuth, life, List.of());
  }

  private Identity issue(
      X500Name subject, KeyPair pair, KeyPurposeId purpose, Duration life, List<Named> more) {
    List<Named> extensions =
        Stream.concat(
                Stream.of(new Named(Extension.extendedKeyUsage, new ExtendedKeyUsage(purpose))),
                more.stream())
            .toList();
    KeyUsage usage = new KeyUsage(KeyUsage.digitalSignature | KeyUsage.keyEncipherment);
    String pem = sign(builder(subject, pair, life), new BasicConstraints(false), usage, extensions);
    return new Identity(pem, Pem.privateKey(pair));
  }

  private JcaX509v3CertificateBuilder builder(X500Name subject, KeyPair pair, Duration life) {
    Instant now = clock.instant();
    return new JcaX509v3CertificateBuilder(
        name,
        new BigInteger(63, RANDOM).add(BigInteger.ONE),
        Date.from(now.minus(CLOCK_SKEW)),
        Date.from(now.plus(life)),
        subject,
        pair.getPublic());
  }

  private String sign(
      JcaX509v3CertificateBuilder certificate,
      BasicConstraints basic,
      KeyUsage usage,
      List<Named> more) {
    try {
      certificate.addExtension(Extension.basicConstraints, true, basic);
      certificate.addExtension(Extension.keyUsage, true, usage);
      for (Named extension : more) {
        certificate.addExtension(extension.id(), false, extension.value());
      }
      var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(key);
      return Pem.encode("CERTIFICATE", certificate.build(signer).getEncoded());
    } catch (OperatorCreationException | IOException e) {
      throw new IllegalStateException("this JVM cannot sign certificates with ECDSA", e);
    }
  }

  private static X500Name name(String commonName, String organization) {
    X500NameBuilder name = new X500NameBuilder(BCStyle.INSTANCE);
    if (!organization.isEmpty()) {
      name.addRDN(BCStyle.O, organization);
    }
    return name.addRDN(BCStyle.CN, commonName).build();
  }

  static KeyPair ellipticKeys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"), RANDOM);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM has no elliptic curve P-256", e);
    }
  }

  private static KeyPair rsaKeys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048, RANDOM);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM has no RSA keys of 2048 bits", e);
    }
  }

  private record Named(ASN1ObjectIdentifier id, ASN1Encodable value) {}
}
