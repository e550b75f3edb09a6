package dev.vertlet.process;

import dev.vertlet.provider.stream.ContainerIo;
import dev.vertlet.provider.stream.TerminalSize;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import io.vertx.core.streams.WriteStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Client of a probe's or hook's command: keeps the beginning of its output. Used by the shard's
 * loop alone.
 */
final class OutputCollector implements ContainerIo, WriteStream<Buffer> {
  /** Bytes that are kept; a kubelet keeps as many of a probe. */
  private static final int LIMIT = 10 * 1024;

  private final Buffer kept = Buffer.buffer();
  private final Promise<Void> gone = Promise.promise();

  /** Ends the command. */
  void leave() {
    gone.tryComplete();
  }

  String text() {
    return kept.toString(StandardCharsets.UTF_8);
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
    // it has no terminal
  }

  @Override
  public Future<Void> gone() {
    return gone.future();
  }

  @Override
  public Future<Void> write(Buffer data) {
    kept.appendBuffer(data, 0, Math.min(data.length(), LIMIT - kept.length()));
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> end() {
    return Future.succeededFuture();
  }

  @Override
  public WriteStream<Buffer> setWriteQueueMaxSize(int maxSize) {
    return this;
  }

  @Override
  public boolean writeQueueFull() {
    return false;
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
