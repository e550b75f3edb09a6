package dev.vertlet.sources;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.net.URI;

/** Reads a URL that is not the API server's. */
@FunctionalInterface
public interface Fetch {
  /**
   * Sends a GET request and returns the body.
   *
   * @param maxBytes a larger body is an error
   * @return fails if the answer is not 200 OK, takes longer than 10 s, or is too large
   */
  Future<Buffer> get(URI url, int maxBytes);
}
