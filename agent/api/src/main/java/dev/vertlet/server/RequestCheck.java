package dev.vertlet.server;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.Optional;

/**
 * Validates a request before its handler runs. The query is decoded on first access, which throws
 * when it is malformed. Uses no I/O.
 */
public final class RequestCheck {
  /** Netty's limit of query parameters; it silently ignores more. */
  private static final int MOST_PARAMETERS = 1024;

  private RequestCheck() {}

  /** Returns why the request is rejected; empty when it is accepted. */
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
