package dev.vertlet.server;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Detects cross-site browser requests, which the browser's user did not intend. Requests of other
 * clients carry no origin and pass. Uses no I/O.
 */
public final class BrowserCheck {
  /** Values of Sec-Fetch-Site for the server's own pages, typed addresses and bookmarks. */
  private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

  private BrowserCheck() {}

  /** Returns why the request is rejected with status 403; empty when it is accepted. */
  public static Optional<String> problem(HttpServerRequest request) {
    return foreignSite(request) || foreignOrigin(request)
        ? Optional.of("pages of other servers may not ask this one")
        : Optional.empty();
  }

  private static boolean foreignSite(HttpServerRequest request) {
    String site = request.getHeader("Sec-Fetch-Site");
    return site != null && !OWN_SITES.contains(site) && !followsALink(request);
  }

  /** Returns whether the user followed a link: the other site cannot read the resulting page. */
  private static boolean followsALink(HttpServerRequest request) {
    return (request.method() == HttpMethod.GET || request.method() == HttpMethod.HEAD)
        && "navigate".equals(request.getHeader("Sec-Fetch-Mode"))
        && "document".equals(request.getHeader("Sec-Fetch-Dest"));
  }

  private static boolean foreignOrigin(HttpServerRequest request) {
    List<String> origins = request.headers().getAll(HttpHeaders.ORIGIN);
    return origins.size() > 1 || (origins.size() == 1 && !isOwn(origins.get(0), request));
  }

  /** Compares host and port only: a proxy that terminates TLS has changed the scheme. */
  private static boolean isOwn(String origin, HttpServerRequest request) {
    HostAndPort own = HostCheck.authority(request);
    try {
      URI uri = URI.create(origin);
      String host = uri.getHost();
      return own != null
          && host != null
          && same(host, own.host())
          && port(uri.getPort()) == port(own.port());
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean same(String one, String other) {
    return HostCheck.bare(one)
        .toLowerCase(Locale.ROOT)
        .equals(HostCheck.bare(other).toLowerCase(Locale.ROOT));
  }

  /** Returns the port; none for the scheme's default. */
  private static int port(int port) {
    return port == 80 || port == 443 ? -1 : port;
  }
}
