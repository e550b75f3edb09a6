package dev.vertlet.http;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;

/** Reads bodies of requests as far as they may go. On the request's context. */
public final class BoundedBody {
  private BoundedBody() {}

  /**
   * Reads a body to its end, or to the first byte that is too much; what comes after that is
   * dropped.
   *
   * @param most bytes that it may have
   * @return the body, one byte longer than allowed where it was too long; fails as the request does
   *     when its client leaves
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
