package dev.vertlet.provider;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import io.vertx.core.streams.WriteStream;
import org.jspecify.annotations.Nullable;

/**
 * The client's end of an exec or attach. What was not asked for is null.
 *
 * <p>Handlers may be set and streams written to on any thread. Handlers are called on the
 * connection's event loop, one at a time; this is another one than the loop the provider is called
 * on, and must not be blocked either. Nothing is read before a stream has a handler, so a client
 * that sends faster than it is read is slowed down; a stream that is {@linkplain
 * WriteStream#writeQueueFull full} must be waited for.
 */
public interface ContainerIo {
  /** Ends when the client has closed its side. */
  @Nullable ReadStream<Buffer> stdin();

  @Nullable WriteStream<Buffer> stdout();

  /** Null also with a terminal, which has one output. */
  @Nullable WriteStream<Buffer> stderr();

  /**
   * Calls {@code handler} with each new size of the client's terminal, and at once with the last
   * one if there was one.
   */
  void onResize(Handler<TerminalSize> handler);

  /**
   * Completes, never fails, when the client has gone or was idle for too long: the command is to be
   * ended and everything held for it freed.
   */
  Future<Void> gone();
}
