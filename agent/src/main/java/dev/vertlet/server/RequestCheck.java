package dev.vertlet.server;

import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;

/**
 * Reads the query of a request for the first time, which throws where it is malformed; whoever
 * reads it later finds all of it. Pure.
 */
public final class QueryCheck {
  /** What Netty reads of one query; more would be left out without a word. */
  private static final int MOST_PARAMETERS = 1024;

  private QueryCheck() {}

  /** Why the query cannot be read; empty when it can, or there is none. */
  public static Optional<String> problem(HttpServerRequest request) {
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
