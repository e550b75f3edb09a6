package dev.vertlet.kube.access;

import dev.vertlet.kube.AccessException;
import io.fabric8.kubernetes.client.Config;
import io.vertx.core.net.ProxyOptions;
import io.vertx.core.net.ProxyType;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Selects the proxy to the API server: {@code proxy-url} of the kubeconfig, else {@code
 * HTTPS_PROXY} or {@code HTTP_PROXY} by the server's scheme, else {@code ALL_PROXY}, unless {@code
 * NO_PROXY} or loopback exempts the server. As in Go, {@code NO_PROXY} does not apply to an
 * explicit proxy-url.
 */
final class ProxyRule {
  private final @Nullable String explicit;
  private final Map<String, String> environment;

  private ProxyRule(@Nullable String explicit, Map<String, String> environment) {
    this.explicit = explicit;
    this.environment = environment;
  }

  static ProxyRule of(Config config, Map<String, String> environment) {
    String url = config.getHttpsProxy();
    return new ProxyRule(url == null || url.isEmpty() ? config.getHttpProxy() : url, environment);
  }

  /** Returns null for a direct connection. */
  @Nullable ProxyOptions proxyFor(URI server) {
    if (explicit != null && !explicit.isEmpty()) {
      return options("proxy-url", explicit);
    }
    String variable = "https".equals(server.getScheme()) ? "HTTPS_PROXY" : "HTTP_PROXY";
    String url = variable(variable);
    if (url.isEmpty()) {
      variable = "ALL_PROXY";
      url = variable(variable);
    }
    return url.isEmpty() || isExempt(server) ? null : options(variable, url);
  }

  private String variable(String name) {
    String lower = environment.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    return environment.getOrDefault(name, lower);
  }

  private boolean isExempt(URI server) {
    String host = server.getHost().toLowerCase(Locale.ROOT);
    byte @Nullable [] address = literal(host);
    if (host.equals("localhost") || isLoopback(address)) {
      return true;
    }
    return rules().anyMatch(rule -> matches(rule, host, server.getPort(), address));
  }

  private Stream<String> rules() {
    return Arrays.stream(variable("NO_PROXY").split(","))
        .map(rule -> rule.strip().toLowerCase(Locale.ROOT))
        .filter(rule -> !rule.isEmpty());
  }

  private static boolean matches(String rule, String host, int port, byte @Nullable [] address) {
    if (rule.equals("*") || rule.equals(host) || rule.equals(host + ":" + port)) {
      return true;
    }
    if (rule.indexOf('/') > 0) {
      return address != null && inside(rule, address);
    }
    String suffix = rule.startsWith(".") ? rule : "." + rule;
    return address == null && host.endsWith(suffix);
  }

  private static boolean inside(String cidr, byte[] address) {
    int slash = cidr.indexOf('/');
    byte @Nullable [] network = literal(cidr.substring(0, slash));
    int bits;
    try {
      bits = Integer.parseInt(cidr.substring(slash + 1));
    } catch (NumberFormatException e) {
      return false;
    }
    if (network == null || network.length != address.length || bits < 0) {
      return false;
    }
    for (int i = 0; i < Math.min(bits, address.length * 8); i++) {
      int mask = 0x80 >> (i % 8);
      if (((network[i / 8] ^ address[i / 8]) & mask) != 0) {
        return false;
      }
    }
    return true;
  }

  private static boolean isLoopback(byte @Nullable [] address) {
    try {
      return address != null && InetAddress.getByAddress(address).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /** Parses an IP address, or returns null; never queries a name server. */
  private static byte @Nullable [] literal(String text) {
    boolean v6 = text.contains(":");
    if (!v6 && !text.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'))) {
      return null;
    }
    try {
      return InetAddress.getByName(text).getAddress();
    } catch (UnknownHostException e) {
      return null;
    }
  }

  private static ProxyOptions options(String source, String url) {
    URI proxy;
    try {
      proxy = URI.create(url.contains("://") ? url : "http://" + url);
    } catch (IllegalArgumentException e) {
      throw new AccessException(source + " is not a URL", e);
    }
    ProxyType type =
        switch (String.valueOf(proxy.getScheme()).toLowerCase(Locale.ROOT)) {
          case "http" -> ProxyType.HTTP;
          case "socks5", "socks5h" -> ProxyType.SOCKS5;
          case "socks4" -> ProxyType.SOCKS4;
          default ->
              throw new AccessException(
                  "%s: a proxy must be one of %s, got %s://"
                      .formatted(
                          source,
                          List.of("http://", "socks5://", "socks5h://", "socks4://"),
                          proxy.getScheme()));
        };
    if (proxy.getHost() == null) {
      throw new AccessException(source + " has no host");
    }
    int fallback = type == ProxyType.HTTP ? 80 : 1080;
    ProxyOptions options =
        new ProxyOptions()
            .setType(type)
            .setHost(proxy.getHost())
            .setPort(proxy.getPort() > 0 ? proxy.getPort() : fallback);
    String user = proxy.getUserInfo();
    if (user != null) {
      int colon = user.indexOf(':');
      options.setUsername(colon < 0 ? user : user.substring(0, colon));
      options.setPassword(colon < 0 ? "" : user.substring(colon + 1));
    }
    return options;
  }
}
