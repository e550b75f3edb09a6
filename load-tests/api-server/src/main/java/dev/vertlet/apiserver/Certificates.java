package dev.vertlet.apiserver;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.IPAddress;

/**
 * A throw-away certificate authority, a server certificate for loopback and the host it listens on,
 * and the certificate that the server shows to kubelets, in PEM.
 *
 * @param caPem certificate of the authority
 * @param serverPem certificate of the server
 * @param serverKeyPem PKCS #8 key of the server
 * @param clientPem certificate of the server as a client of kubelets
 * @param clientKeyPem its PKCS #8 key
 */
record Certificates(
    String caPem, String serverPem, String serverKeyPem, String clientPem, String clientKeyPem) {
  private static final Duration VALIDITY = Duration.ofDays(365);

  /** Clients with a slow clock accept it too. */
  private static final Duration BACKDATED = Duration.ofDays(1);

  private static final X500Name CA_NAME = new X500Name("CN=vertlet-embedded-ca");
  private static final X500Name SERVER_NAME = new X500Name("CN=kube-apiserver");
  private static final X500Name CLIENT_NAME =
      new X500Name("O=system:masters,CN=kube-apiserver-kubelet-client");

  /** Every server has these. */
  private static final List<String> NAMES =
      List.of("127.0.0.1", "::1", "localhost", "kubernetes.default.svc");

  /** Makes all; takes some milliseconds of CPU, so not on an event loop. */
  static Certificates create(Clock clock, String host)
      throws GeneralSecurityException, IOException, OperatorCreationException {
    KeyPair ca = keyPair();
    KeyPair server = keyPair();
    X509v3CertificateBuilder authority = builder(clock, 1, CA_NAME, ca);
    authority.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
    authority.addExtension(
        Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
    X509v3CertificateBuilder leaf = builder(clock, 2, SERVER_NAME, server);
    leaf.addExtension(
        Extension.subjectAlternativeName,
        false,
        new GeneralNames(names(host).map(Certificates::name).toArray(GeneralName[]::new)));
    KeyPair client = keyPair();
    X509v3CertificateBuilder visitor = builder(clock, 3, CLIENT_NAME, client);
    visitor.addExtension(
        Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_clientAuth));
    return new Certificates(
        pem("CERTIFICATE", sign(authority, ca).getEncoded()),
        pem("CERTIFICATE", sign(leaf, ca).getEncoded()),
        pem("PRIVATE KEY", server.getPrivate().getEncoded()),
        pem("CERTIFICATE", sign(visitor, ca).getEncoded()),
        pem("PRIVATE KEY", client.getPrivate().getEncoded()));
  }

  private static Stream<String> names(String host) {
    return Stream.concat(NAMES.stream(), Stream.of(host)).distinct();
  }

  private static GeneralName name(String host) {
    return new GeneralName(
        IPAddress.isValid(host) ? GeneralName.iPAddress : GeneralName.dNSName, host);
  }

  private static KeyPair keyPair() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    return generator.generateKeyPair();
  }

  private static X509v3CertificateBuilder builder(
      Clock clock, int serial, X500Name subject, KeyPair keys) {
    Instant now = clock.instant();
    return new JcaX509v3CertificateBuilder(
        CA_NAME,
        BigInteger.valueOf(now.toEpochMilli()).add(BigInteger.valueOf(serial)),
        Date.from(now.minus(BACKDATED)),
        Date.from(now.plus(VALIDITY)),
        subject,
        keys.getPublic());
  }

  private static X509CertificateHolder sign(X509v3CertificateBuilder builder, KeyPair ca)
      throws OperatorCreationException {
    return builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(ca.getPrivate()));
  }

  private static String pem(String label, byte[] der) {
    Base64.Encoder lines = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(label, lines.encodeToString(der), label);
  }

  /** For {@link #restore}. */
  Map<String, String> toMap() {
    return Map.of(
        "ca",
        caPem,
        "server",
        serverPem,
        "serverKey",
        serverKeyPem,
        "client",
        clientPem,
        "clientKey",
        clientKeyPem);
  }

  /**
   * Those of an earlier life, empty when one of them is missing, they have expired or are for
   * another host.
   */
  static Optional<Certificates> restore(Map<String, String> map, Clock clock, String host)
      throws CertificateException, IOException {
    String server = map.getOrDefault("server", "");
    String client = map.getOrDefault("client", "");
    if (server.isEmpty() || client.isEmpty()) {
      return Optional.empty();
    }
    X509Certificate certificate =
        (X509Certificate)
            CertificateFactory.getInstance("X.509")
                .generateCertificate(
                    new ByteArrayInputStream(server.getBytes(StandardCharsets.US_ASCII)));
    return certificate.getNotAfter().toInstant().isAfter(clock.instant())
            && isFor(certificate, host)
        ? Optional.of(
            new Certificates(
                map.getOrDefault("ca", ""),
                server,
                map.getOrDefault("serverKey", ""),
                client,
                map.getOrDefault("clientKey", "")))
        : Optional.empty();
  }

  private static boolean isFor(X509Certificate certificate, String host)
      throws CertificateException, IOException {
    GeneralNames names =
        GeneralNames.fromExtensions(
            new JcaX509CertificateHolder(certificate).getExtensions(),
            Extension.subjectAlternativeName);
    return names != null && Arrays.asList(names.getNames()).contains(name(host));
  }

  /** Hides the key. */
  @Override
  public String toString() {
    return "Certificates[" + SERVER_NAME + "]";
  }
}
