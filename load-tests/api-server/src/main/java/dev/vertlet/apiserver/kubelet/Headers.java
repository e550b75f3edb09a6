package dev.vertlet.apiserver.kubelet;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Locale;

/** Headers of requests and answers that are passed on. */
final class Headers {
  /** What concerns the connection it came by, and is not passed on without an upgrade. */
  static final List<String> RESPECTED_ONCE =
      List.of(
          "connection",
          "keep-alive",
          "proxy-authorization",
          "proxy-connection",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade",
          "content-length");

  private Headers() {}

  /** Whether a header says who asks: it was for this server, and has been answered for. */
  private static boolean tellsUser(String name) {
    return name.equals("authorization")
        || name.startsWith("impersonate-")
        || name.startsWith("x-remote-");
  }

  /** A client's headers without those that tell the user, with its address. A copy. */
  static MultiMap passedOn(HttpServerRequest client) {
    MultiMap headers = HttpHeaders.headers();
    client
        .headers()
        .forEach(
            header -> {
              String name = header.getKey().toLowerCase(Locale.ROOT);
              if (!name.startsWith(":") && !tellsUser(name)) {
                headers.add(header.getKey(), header.getValue());
              }
            });
    if (client.authority() != null) {
      headers.set(HttpHeaders.HOST, client.authority().toString());
    }
    String forwarded = "x-forwarded-for";
    String address = client.remoteAddress() == null ? "" : client.remoteAddress().hostAddress();
    if (address != null && !address.isEmpty()) {
      List<String> before = headers.getAll(forwarded);
      headers.set(
          forwarded, before.isEmpty() ? address : String.join(", ", before) + ", " + address);
    }
    return headers;
  }

  /** Where a redirection leads for somebody who comes through the proxy. */
  static String rewritten(String location, Location from, String prefix) {
    String origin = (from.tls() ? "https://" : "http://") + from.authority();
    String path = location.startsWith(origin) ? location.substring(origin.length()) : location;
    return path.startsWith("/") && !path.startsWith("//") && !path.startsWith(prefix)
        ? prefix + path
        : path;
  }
}
