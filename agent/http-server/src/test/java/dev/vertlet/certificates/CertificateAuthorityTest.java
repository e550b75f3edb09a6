package dev.vertlet.certificates;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.List;
import org.junit.jupiter.api.Test;

class CertificateAuthorityTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  private final CertificateAuthority authority =
      CertificateAuthority.create("test-ca", Clock.fixed(NOW, ZoneOffset.UTC));

  @Test
  void serverCertificatesAreSignedByItAndNameTheirHosts() throws Exception {
    Identity server = authority.issueServer("api", List.of("localhost"), List.of("127.0.0.1"));

    X509Certificate certificate = parse(server.certificatePem());
    X509Certificate ca = parse(authority.certificatePem());
    assertThatCode(() -> certificate.verify(ca.getPublicKey())).doesNotThrowAnyException();
    assertThat(certificate.getSubjectAlternativeNames())
        .containsExactlyInAnyOrder(List.of(2, "localhost"), List.of(7, "127.0.0.1"));
    assertThat(certificate.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
    assertThat(certificate.getBasicConstraints()).isEqualTo(-1);
    assertThat(ca.getBasicConstraints()).isNotNegative();
  }

  @Test
  void clientCertificatesCarryUserAndGroup() throws Exception {
    X509Certificate certificate =
        parse(authority.issueClient("jane", "system:masters").certificatePem());

    assertThat(certificate.getSubjectX500Principal().getName())
        .isEqualTo("CN=jane,O=system:masters");
    assertThat(certificate.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.2");
  }

  @Test
  void oneThatWasMadeBeforeIssuesInTheSameName() throws Exception {
    CertificateAuthority again =
        CertificateAuthority.of(authority.identity(), Clock.fixed(NOW, ZoneOffset.UTC));

    X509Certificate ca = parse(authority.certificatePem());
    X509Certificate certificate =
        parse(again.issueClient("jane", "", Duration.ofSeconds(5)).certificatePem());
    assertThatCode(() -> certificate.verify(ca.getPublicKey())).doesNotThrowAnyException();
    assertThat(certificate.getIssuerX500Principal()).isEqualTo(ca.getSubjectX500Principal());
    assertThat(certificate.getNotAfter()).isEqualTo(Date.from(NOW.plusSeconds(5)));
    assertThat(again.certificatePem()).isEqualTo(authority.certificatePem());
  }

  @Test
  void certificatesAreValidOnAClockThatIsSlow() throws Exception {
    X509Certificate certificate = parse(authority.certificatePem());

    assertThatCode(() -> certificate.checkValidity(Date.from(NOW.minusSeconds(3599))))
        .doesNotThrowAnyException();
  }

  @Test
  void anIdentityNeverPrintsItsKey() {
    assertThat(authority.issueClient("jane", "").toString())
        .contains("BEGIN CERTIFICATE")
        .doesNotContain("PRIVATE KEY");
  }

  private static X509Certificate parse(String pem) throws CertificateException {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(pem.getBytes(US_ASCII)));
  }
}
