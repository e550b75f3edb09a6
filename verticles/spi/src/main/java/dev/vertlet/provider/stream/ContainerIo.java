package dev.vertlet.provider.stream;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import io.vertx.core.streams.WriteStream;
import org.jspecify.annotations.Nullable;

/**
 * The client's end of an exec or attach. Streams that the client did not request are null.
 *
 * <p>Handlers may be set and streams written on any thread. Handlers run on the connection's event
 * loop, one at a time. This is a different loop from the provider's, and must not be blocked
 * either. Nothing is read until a stream has a handler, so a slow reader slows the client down. A
 * writer must wait while a stream is {@linkplain WriteStream#writeQueueFull full}.
 */
public interface ContainerIo {
  /** Ends when the client has closed its side. */
  @Nullable ReadStream<Buffer> stdin();

  @Nullable WriteStream<Buffer> stdout();

  /** Null with a terminal as well: a terminal has one output. */
  @Nullable WriteStream<Buffer> stderr();

  /**
   * Calls {@code handler} with each new size of the client's terminal, and immediately with the
   * latest size if the client has sent one.
   */
  void onResize(Handler<TerminalSize> handler);

  /**
   * Completes, never fails, when the client has disconnected or was idle for too long: the provider
   * ends the command and frees everything it holds for it.
   */
  Future<Void> gone();
}
