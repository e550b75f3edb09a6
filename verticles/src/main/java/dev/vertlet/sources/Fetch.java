package dev.vertlet.sources;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.net.URI;

/** Reads what is behind a URL that is not the API server's. */
@FunctionalInterface
public interface Fetch {
  /**
   * The body of the answer to a GET.
   *
   * @param maxBytes more than these are an error
   * @return fails when the answer is not 200 OK, or takes longer than 10 s, or is too large
   */
  Future<Buffer> get(URI url, int maxBytes);
}
