package dev.vertlet.server;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.Optional;

/**
 * Looks at a request before its handler does. The query is decoded at the first look, which throws
 * where it is malformed; a handler finds all of it. Pure.
 */
public final class RequestCheck {
  /** What Netty reads of one query; more would be left out without a word. */
  private static final int MOST_PARAMETERS = 1024;

  private RequestCheck() {}

  /** Why the request cannot be served; empty when it can. */
  public static Optional<String> problem(HttpServerRequest request) {
    boolean named =
        request.version() != HttpVersion.HTTP_1_1
            || request.headers().getAll(HttpHeaders.HOST).size() == 1;
    return named ? query(request) : Optional.of("a request must have one Host header");
  }

  private static Optional<String> query(HttpServerRequest request) {
    String query = request.query();
    if (query == null) {
      return Optional.empty();
    }
    if (query.chars().filter(c -> c == '&' || c == ';').count() >= MOST_PARAMETERS) {
      return Optional.of("a query must have at most " + MOST_PARAMETERS + " parameters");
    }
    try {
      request.params();
    } catch (IllegalArgumentException e) {
      return Optional.of("the query cannot be read: " + e.getMessage());
    }
    return Optional.empty();
  }
}
