package dev.vertlet.api.route;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.streams.WriteStream;
import org.jspecify.annotations.Nullable;

/**
 * Response that a log is written to. The headers are sent with the first bytes, so that an
 * unreadable log still gets an error status; every write is flushed.
 */
final class LogOutput implements WriteStream<Buffer> {
  private final HttpServerResponse response;
  private boolean begun;

  LogOutput(HttpServerResponse response) {
    this.response = response;
  }

  Future<Void> finish() {
    begin();
    return response.end();
  }

  private void begin() {
    if (!begun) {
      begun = true;
      response
          .setChunked(true)
          .putHeader(HttpHeaders.CONTENT_TYPE, ApiCall.TEXT)
          .putHeader("X-Content-Type-Options", "nosniff");
    }
  }

  @Override
  public Future<Void> write(Buffer data) {
    begin();
    return response.write(data);
  }

  /** Does nothing: the server ends the response after the provider has finished. */
  @Override
  public Future<Void> end() {
    return Future.succeededFuture();
  }

  @Override
  public boolean writeQueueFull() {
    return response.writeQueueFull();
  }

  @Override
  public WriteStream<Buffer> setWriteQueueMaxSize(int maxSize) {
    response.setWriteQueueMaxSize(maxSize);
    return this;
  }

  @Override
  public WriteStream<Buffer> drainHandler(@Nullable Handler<Void> handler) {
    response.drainHandler(handler);
    return this;
  }

  @Override
  public WriteStream<Buffer> exceptionHandler(@Nullable Handler<Throwable> handler) {
    response.exceptionHandler(handler);
    return this;
  }
}
