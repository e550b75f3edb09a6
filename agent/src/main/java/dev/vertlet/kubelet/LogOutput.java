package dev.vertlet.kubelet;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.streams.WriteStream;
import org.jspecify.annotations.Nullable;

/**
 * The answer that a log is written to. Its head is sent with the first bytes, so that a log that
 * cannot be read is still answered with a status; every write goes out at once.
 */
final class LogOutput implements WriteStream<Buffer> {
  private final HttpServerResponse response;
  private boolean begun;

  LogOutput(HttpServerResponse response) {
    this.response = response;
  }

  /** What was written is all there is. */
  Future<Void> finish() {
    begin();
    return response.end();
  }

  private void begin() {
    if (!begun) {
      begun = true;
      response
          .setChunked(true)
          .putHeader(HttpHeaders.CONTENT_TYPE, Call.TEXT)
          .putHeader("X-Content-Type-Options", "nosniff");
    }
  }

  @Override
  public Future<Void> write(Buffer data) {
    begin();
    return response.write(data);
  }

  /** The server ends the answer itself, once the provider is done. */
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
