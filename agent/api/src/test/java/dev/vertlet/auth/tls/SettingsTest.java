package dev.vertlet.auth.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.auth.Authentication;
import dev.vertlet.auth.Authorization;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The records of the configuration: defaults, and what is refused how. */
class SettingsTest {
  private static final Path FILE = Path.of("/a.pem");

  @Test
  void theDefaultsAreAKubelets() {
    assertThat(Authentication.DEFAULTS)
        .isEqualTo(new Authentication(false, null, true, Duration.ofMinutes(2)));
    assertThat(Authorization.DEFAULTS)
        .isEqualTo(
            new Authorization(
                Authorization.Mode.WEBHOOK, Duration.ofMinutes(5), Duration.ofSeconds(30)));
    assertThat(ServingTls.DEFAULTS)
        .isEqualTo(new ServingTls(null, null, false, TlsVersion.TLS_1_2, List.of()));
  }

  @Test
  void timesHaveLimits() {
    assertThatThrownBy(() -> new Authentication(false, null, true, Duration.ofSeconds(-1)))
        .hasMessage("webhookCacheTTL: \"PT-1S\" must be from \"0s\" to \"1h\"");
    assertThatThrownBy(
            () -> new Authorization(Authorization.Mode.WEBHOOK, Duration.ofHours(2), Duration.ZERO))
        .hasMessage("cacheAuthorizedTTL: \"PT2H\" must be from \"0s\" to \"1h\"");
    assertThatThrownBy(
            () ->
                new Authorization(
                    Authorization.Mode.WEBHOOK, Duration.ofHours(2), Duration.ofHours(3)))
        .hasMessageStartingWith("cacheAuthorizedTTL: \"PT2H\" must be")
        .hasMessageContaining("; cacheUnauthorizedTTL: \"PT3H\" must be");
  }

  @Test
  void certificateAndKeyComeTogetherAndInsteadOfARequest() {
    assertThatThrownBy(() -> tls(FILE, null, false, List.of()))
        .hasMessage("tlsPrivateKeyFile: \"\" must be given with tlsCertFile");
    assertThatThrownBy(() -> tls(null, FILE, false, List.of()))
        .hasMessage("tlsCertFile: \"\" must be given with tlsPrivateKeyFile");
    assertThatThrownBy(() -> tls(FILE, FILE, true, List.of()))
        .hasMessage("serverTLSBootstrap: \"true\" must be false with tlsCertFile");
    assertThat(tls(FILE, FILE, false, List.of()).tlsCertFile()).isEqualTo(FILE);
    assertThat(tls(null, null, true, List.of()).serverTLSBootstrap()).isTrue();
  }

  @Test
  void suitesAreThoseOfTheList() {
    assertThatThrownBy(() -> tls(null, null, false, List.of("TLS_RSA_WITH_RC4_128_SHA")))
        .hasMessageStartingWith(
            "tlsCipherSuites/0: \"TLS_RSA_WITH_RC4_128_SHA\" must be one of TLS_AES_128_GCM_SHA256,"
                + " ");
    assertThat(CipherSuites.enabled(List.of("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256")))
        .containsExactly(
            "TLS_AES_128_GCM_SHA256",
            "TLS_AES_256_GCM_SHA384",
            "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256");
    assertThat(CipherSuites.enabled(List.of())).isEqualTo(CipherSuites.allowed());
  }

  @Test
  void thisJvmHasAllSuites() throws Exception {
    assertThat(SSLContext.getDefault().getSupportedSSLParameters().getCipherSuites())
        .containsAll(CipherSuites.allowed());
  }

  @Test
  void versionsAreSpelledAsKubeletsSpellThem() {
    assertThat(TlsVersion.parse("VersionTLS12").protocols()).containsExactly("TLSv1.2", "TLSv1.3");
    assertThat(TlsVersion.parse("VersionTLS13").protocols()).containsExactly("TLSv1.3");
    assertThatThrownBy(() -> TlsVersion.parse("VersionTLS11"))
        .hasMessage(
            "tlsMinVersion must be one of VersionTLS12, VersionTLS13, got \"VersionTLS11\"");
  }

  private static ServingTls tls(
      @Nullable Path certificate, @Nullable Path key, boolean bootstrap, List<String> suites) {
    return new ServingTls(certificate, key, bootstrap, TlsVersion.TLS_1_2, suites);
  }
}
