package dev.vertlet.kube.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.kube.AccessException;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.vertx.core.net.ProxyOptions;
import io.vertx.core.net.ProxyType;
import java.net.URI;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProxyRuleTest {
  private static final URI SERVER = URI.create("https://api.example.org:6443/");

  @Test
  void connectsDirectlyWithoutAProxy() {
    assertThat(rule(Map.of()).proxyFor(SERVER)).isNull();
  }

  @Test
  void theKubeconfigsProxyWinsOverTheEnvironment() {
    Config config =
        new ConfigBuilder(Config.empty()).withHttpsProxy("socks5://u:p@proxy:1081").build();

    ProxyOptions proxy =
        Objects.requireNonNull(
            ProxyRule.of(config, Map.of("HTTPS_PROXY", "http://other:3128", "NO_PROXY", "*"))
                .proxyFor(SERVER));
    assertThat(proxy.getType()).isEqualTo(ProxyType.SOCKS5);
    assertThat(proxy.getHost() + ":" + proxy.getPort()).isEqualTo("proxy:1081");
    assertThat(proxy.getUsername() + "/" + proxy.getPassword()).isEqualTo("u/p");
  }

  @Test
  void theServersSchemeChoosesTheVariable() {
    ProxyRule rule = rule(Map.of("HTTPS_PROXY", "tls:1", "http_proxy", "plain:2"));
    assertThat(rule.proxyFor(SERVER)).extracting(ProxyOptions::getHost).isEqualTo("tls");
    assertThat(rule.proxyFor(URI.create("http://api.example.org/")))
        .extracting(ProxyOptions::getHost)
        .isEqualTo("plain");
  }

  @ParameterizedTest
  @CsvSource({
    "api.example.org, true",
    "example.org, true",
    ".example.org, true",
    "ample.org, false",
    "other.org, false",
    "*, true",
    "api.example.org:6443, true",
    "api.example.org:443, false",
    "10.0.0.0/8, false"
  })
  void noProxyExemptsNames(String noProxy, boolean direct) {
    ProxyOptions proxy =
        rule(Map.of("HTTPS_PROXY", "http://proxy:3128", "NO_PROXY", "x.y, " + noProxy))
            .proxyFor(SERVER);
    assertThat(proxy == null).isEqualTo(direct);
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 10.9.8.7, true",
    "10.0.0.0/8, 11.0.0.1, false",
    "10.1.2.3, 10.1.2.3, true",
    "10.0.0.0/xx, 10.0.0.1, false",
    "192.168.4.0/22, 192.168.7.255, true",
    "192.168.4.0/22, 192.168.8.0, false",
    "fd00::/8, [fd12::1], true",
    "fd00::/8, 10.0.0.1, false",
    "10.0.0.999/8, 10.0.0.1, false",
    "nothing, 127.0.0.1, true"
  })
  void noProxyExemptsAddresses(String noProxy, String host, boolean direct) {
    ProxyOptions proxy =
        rule(Map.of("HTTPS_PROXY", "http://proxy:3128", "NO_PROXY", noProxy))
            .proxyFor(URI.create("https://" + host + ":443/"));
    assertThat(proxy == null).isEqualTo(direct);
  }

  @ParameterizedTest
  @CsvSource({
    "proxy.local, HTTP, proxy.local, 80",
    "http://proxy.local:3128, HTTP, proxy.local, 3128",
    "socks5h://proxy.local, SOCKS5, proxy.local, 1080",
    "socks4://u@proxy.local:9, SOCKS4, proxy.local, 9"
  })
  void readsProxyUrls(String url, ProxyType type, String host, int port) {
    ProxyOptions proxy = Objects.requireNonNull(rule(Map.of("ALL_PROXY", url)).proxyFor(SERVER));
    assertThat(proxy.getType()).isEqualTo(type);
    assertThat(proxy.getHost()).isEqualTo(host);
    assertThat(proxy.getPort()).isEqualTo(port);
  }

  @ParameterizedTest
  @CsvSource({"http://, is not a URL", "http:///x, has no host", "'http://a b', is not a URL"})
  void refusesProxyUrlsThatAreNone(String url, String message) {
    assertThatThrownBy(() -> rule(Map.of("HTTPS_PROXY", url)).proxyFor(SERVER))
        .isInstanceOf(AccessException.class)
        .hasMessageContaining("HTTPS_PROXY " + message);
  }

  @Test
  void refusesAProxyItCannotSpeakTo() {
    assertThatThrownBy(() -> rule(Map.of("HTTPS_PROXY", "https://proxy:3128")).proxyFor(SERVER))
        .isInstanceOf(AccessException.class)
        .hasMessageContaining("HTTPS_PROXY")
        .hasMessageContaining("got https://");
  }

  private static ProxyRule rule(Map<String, String> environment) {
    return ProxyRule.of(Config.empty(), environment);
  }
}
