package dev.vertlet.server;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Compares the Host of requests with the names of a server. In a DNS rebinding attack, a web page
 * reaches the server under the page's own name. Uses no I/O.
 */
public final class HostCheck {
  private final Set<String> names;

  /**
   * @param names names and addresses of the server besides {@code localhost} and all loopback
   *     addresses; empty ones are ignored
   */
  public HostCheck(Collection<String> names) {
    this.names =
        names.stream()
            .map(name -> bare(name).toLowerCase(Locale.ROOT))
            .filter(name -> !name.isEmpty())
            .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Returns why the request is rejected with status 421; empty when it is accepted. */
  public Optional<String> problem(HttpServerRequest request) {
    HostAndPort authority = authority(request);
    String host = authority == null ? "" : bare(authority.host()).toLowerCase(Locale.ROOT);
    if (Loopback.isHost(host) || names.contains(host)) {
      return Optional.empty();
    }
    String known = names.isEmpty() ? "" : ", " + String.join(", ", names);
    return Optional.of("the Host of a request must be localhost, a loopback address" + known);
  }

  /** Returns the requested authority; null when it cannot be parsed. */
  static @Nullable HostAndPort authority(HttpServerRequest request) {
    try {
      return request.authority();
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Removes the brackets of an IPv6 address. */
  static String bare(String host) {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }
}
