package dev.vertlet.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CertificatesTest {
  private static final Clock CLOCK = Clock.systemUTC();

  /** Names and addresses, as the type of RFC 5280 and the value. */
  private static List<String> names(Certificates certificates) throws CertificateException {
    X509Certificate server =
        (X509Certificate)
            CertificateFactory.getInstance("X.509")
                .generateCertificate(
                    new ByteArrayInputStream(
                        certificates.serverPem().getBytes(StandardCharsets.US_ASCII)));
    return server.getSubjectAlternativeNames().stream()
        .map(name -> name.get(0) + " " + name.get(1))
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "192.0.2.7, 7 192.0.2.7",
    "2001:db8::1, 7 2001:db8:0:0:0:0:0:1",
    "api.example.org, 2 api.example.org"
  })
  void theServersIsForItsHostToo(String host, String name) throws Exception {
    assertThat(names(Certificates.create(CLOCK, host)))
        .containsExactly(
            "7 127.0.0.1", "7 0:0:0:0:0:0:0:1", "2 localhost", "2 kubernetes.default.svc", name);
  }

  @Test
  void loopbackIsNamedOnce() throws Exception {
    assertThat(names(Certificates.create(CLOCK, "127.0.0.1"))).doesNotHaveDuplicates().hasSize(4);
  }

  @Test
  void thoseOfAnEarlierLifeServeTheirHostUntilTheyExpire() throws Exception {
    Certificates made = Certificates.create(CLOCK, "192.0.2.7");

    assertThat(Certificates.restore(made.toMap(), CLOCK, "192.0.2.7")).contains(made);
    assertThat(Certificates.restore(made.toMap(), CLOCK, "localhost")).contains(made);
    assertThat(Certificates.restore(made.toMap(), CLOCK, "192.0.2.8")).isEmpty();
    Clock later = Clock.offset(CLOCK, Duration.ofDays(366));
    assertThat(Certificates.restore(made.toMap(), later, "192.0.2.7")).isEmpty();
  }
}
