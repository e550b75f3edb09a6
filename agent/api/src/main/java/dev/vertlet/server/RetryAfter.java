package dev.vertlet.server;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;

/** Asks clients to retry after a temporary failure. */
public final class RetryAfter {
  private static final String SECONDS = "1";

  private RetryAfter() {}

  /** Adds the header to a response with status 429 or 503 whose headers are not sent yet. */
  public static void add(HttpServerResponse response, int status) {
    if ((status == 429 || status == 503) && !response.headWritten()) {
      response.putHeader(HttpHeaders.RETRY_AFTER, SECONDS);
    }
  }
}
