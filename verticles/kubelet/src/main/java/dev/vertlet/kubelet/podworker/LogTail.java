package dev.vertlet.kubelet.podworker;

import dev.vertlet.model.Utf8;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.WriteStream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the last bytes that are written to it. A runtime writes one buffer after another, on any
 * thread; the text is read after the runtime's Future has completed, which orders the two.
 */
final class LogTail implements WriteStream<Buffer> {
  private final int most;
  private byte[] kept = new byte[0];

  /**
   * @param most bytes that are kept
   */
  LogTail(int most) {
    this.most = most;
  }

  /** Returns the kept bytes as text, from the first whole character on. */
  String text() {
    return Utf8.last(kept, 0);
  }

  @Override
  public Future<Void> write(Buffer data) {
    byte[] more = data.getBytes(Math.max(0, data.length() - most), data.length());
    kept = joined(kept, more);
    return Future.succeededFuture();
  }

  private byte[] joined(byte[] before, byte[] more) {
    int old = Math.min(before.length, most - more.length);
    byte[] all = new byte[old + more.length];
    System.arraycopy(before, before.length - old, all, 0, old);
    System.arraycopy(more, 0, all, old, more.length);
    return all;
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
