package dev.vertlet.lifecycle;

import dev.vertlet.model.Utf8;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.WriteStream;
import org.jspecify.annotations.Nullable;

/** Keeps the last bytes of what is written to it. Written and read on any thread. */
final class LogTail implements WriteStream<Buffer> {
  private final int most;
  private Buffer kept = Buffer.buffer();

  /**
   * @param most bytes that are kept
   */
  LogTail(int most) {
    this.most = most;
  }

  /** What was kept, from the first whole character on. */
  synchronized String text() {
    byte[] bytes = kept.getBytes();
    return Utf8.last(bytes, Math.max(0, bytes.length - most));
  }

  @Override
  public synchronized Future<Void> write(Buffer data) {
    kept.appendBuffer(data);
    if (kept.length() > 2 * most) {
      kept = kept.getBuffer(kept.length() - most, kept.length());
    }
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> end() {
    return Future.succeededFuture();
  }

  @Override
  public boolean writeQueueFull() {
    return false;
  }

  @Override
  public LogTail exceptionHandler(@Nullable Handler<Throwable> handler) {
    return this;
  }

  @Override
  public LogTail setWriteQueueMaxSize(int size) {
    return this;
  }

  @Override
  public LogTail drainHandler(@Nullable Handler<Void> handler) {
    return this;
  }
}
