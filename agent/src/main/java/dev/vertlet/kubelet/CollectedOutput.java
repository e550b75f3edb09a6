package dev.vertlet.kubelet;

import dev.vertlet.provider.ContainerIo;
import dev.vertlet.provider.TerminalSize;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import io.vertx.core.streams.WriteStream;
import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Streams of a command whose output is wanted as a whole, standard error among it. Keeps the
 * beginning of too long an output. Used by one thread at a time; the last write happens before the
 * command has ended.
 */
final class CollectedOutput implements ContainerIo, WriteStream<Buffer> {
  /** As much as a kubelet takes of a command that is not streamed. */
  private static final int MOST = 16 << 20;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final Promise<Void> gone = Promise.promise();

  Buffer bytes() {
    return Buffer.buffer(bytes.toByteArray());
  }

  /** Nobody waits for it any more. */
  void leave() {
    gone.tryComplete();
  }

  @Override
  public @Nullable ReadStream<Buffer> stdin() {
    return null;
  }

  @Override
  public WriteStream<Buffer> stdout() {
    return this;
  }

  @Override
  public WriteStream<Buffer> stderr() {
    return this;
  }

  @Override
  public void onResize(Handler<TerminalSize> handler) {
    // there is no terminal
  }

  @Override
  public Future<Void> gone() {
    return gone.future();
  }

  @Override
  public Future<Void> write(Buffer data) {
    int room = Math.min(data.length(), MOST - bytes.size());
    bytes.write(data.getBytes(0, room), 0, room);
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
  public WriteStream<Buffer> setWriteQueueMaxSize(int maxSize) {
    return this;
  }

  @Override
  public WriteStream<Buffer> drainHandler(@Nullable Handler<Void> handler) {
    return this;
  }

  @Override
  public WriteStream<Buffer> exceptionHandler(@Nullable Handler<Throwable> handler) {
    return this;
  }
}
