package dev.vertlet.apiserver;

import dev.vertlet.certificates.CertificateAuthority;
import dev.vertlet.certificates.CertificateDraft;
import dev.vertlet.certificates.Identity;
import dev.vertlet.certificates.KeyPairs;
import dev.vertlet.certificates.Pem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;
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

  /** Every server has these. */
  private static final List<String> NAMES =
      List.of("127.0.0.1", "::1", "localhost", "kubernetes.default.svc");

  /** Makes all; takes some milliseconds of CPU, so not on an event loop. */
  static Certificates create(Clock clock, String host) {
    CertificateAuthority authority = CertificateAuthority.create("vertlet-embedded-ca", clock);
    Identity server =
        authority.issue(
            CertificateDraft.of(KeyPairs.elliptic(), "kube-apiserver", "")
                .server()
                .names(names(host).map(Certificates::name)),
            VALIDITY);
    Identity client =
        authority.issue(
            CertificateDraft.of(
                    KeyPairs.elliptic(), "kube-apiserver-kubelet-client", "system:masters")
                .client(),
            VALIDITY);
    return new Certificates(
        authority.certificatePem(),
        server.certificatePem(),
        server.privateKeyPem(),
        client.certificatePem(),
        client.privateKeyPem());
  }

  private static Stream<String> names(String host) {
    return Stream.concat(NAMES.stream(), Stream.of(host)).distinct();
  }

  private static GeneralName name(String host) {
    return new GeneralName(
        IPAddress.isValid(host) ? GeneralName.iPAddress : GeneralName.dNSName, host);
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
        Pem.certificates(server.getBytes(StandardCharsets.US_ASCII)).get(0);
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

  /** Hides the keys. */
  @Override
  public String toString() {
    return "Certificates[kube-apiserver]";
  }
}
