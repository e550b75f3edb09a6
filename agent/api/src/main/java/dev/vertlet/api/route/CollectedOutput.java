package dev.vertlet.api.route;

import dev.vertlet.provider.stream.ContainerIo;
import dev.vertlet.provider.stream.TerminalSize;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.VertxException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import io.vertx.core.streams.WriteStream;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Streams of a command whose whole output is collected, standard error included. Output that is too
 * long is cut at its end. Used by one thread at a time; the last write precedes the end of the
 * command.
 */
final class CollectedOutput implements ContainerIo, WriteStream<Buffer> {
  /** The output limit of a kubelet for a command that is not streamed. */
  private static final int MOST = 16 << 20;

  private final AtomicInteger room;
  private final Buffer bytes = Buffer.buffer();
  private final Future<Void> gone;
  private boolean refused;

  /**
   * @param room bytes left for all outputs together
   * @param gone completes when the client has left
   */
  CollectedOutput(AtomicInteger room, Future<Void> gone) {
    this.room = room;
    this.gone = gone;
  }

  /** Creates the bytes that all outputs share: one of the maximum length or many short ones. */
  static AtomicInteger room() {
    return new AtomicInteger(MOST);
  }

  Buffer bytes() {
    return bytes;
  }

  /** Returns whether output was lost because other outputs used up all bytes. */
  boolean refused() {
    return refused;
  }

  /** Releases its bytes and accepts no more. */
  void release() {
    refused = true;
    room.addAndGet(bytes.length());
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
    return gone;
  }

  @Override
  public Future<Void> write(Buffer data) {
    int wanted = Math.min(data.length(), MOST - bytes.length());
    if (refused || !take(wanted)) {
      refused = true;
      return Future.failedFuture(VertxException.noStackTrace("no room for the output"));
    }
    bytes.appendBuffer(data, 0, wanted);
    return Future.succeededFuture();
  }

  private boolean take(int wanted) {
    return room.getAndUpdate(left -> left < wanted ? left : left - wanted) >= wanted;
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
