package dev.vertlet.http;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;

/** Reads request bodies up to a limit. Call it on the request's context. */
public final class BoundedBody {
  private BoundedBody() {}

  /**
   * Reads a body to its end or to the first byte above the limit; further bytes are discarded.
   *
   * @param most limit in bytes
   * @return the body, one byte longer than the limit when it was too long; fails as the request
   *     does when its client leaves
   */
  public static Future<Buffer> read(HttpServerRequest request, int most) {
    Promise<Buffer> read = Promise.promise();
    Buffer body = Buffer.buffer();
    request
        .exceptionHandler(read::tryFail)
        .endHandler(end -> read.tryComplete(body))
        .handler(
            piece -> {
              int room = most + 1 - body.length();
              body.appendBuffer(piece, 0, Math.min(room, piece.length()));
              if (body.length() > most) {
                read.tryComplete(body);
              }
            });
    return read.future();
  }
}
