package dev.vertlet.provider.stream;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import io.vertx.core.streams.WriteStream;

/**
 * One forwarded connection from the provider's side. Threads: as for {@link ContainerIo}.
 *
 * <p>Nothing is read until {@link #incoming} has a handler. {@code incoming()} ends when the client
 * has sent everything; the provider calls {@code outgoing().end()} when the pod has. Each direction
 * buffers at most one window of bytes: a writer must wait while a stream is {@linkplain
 * WriteStream#writeQueueFull full}.
 */
public interface Connection {
  /** Bytes from the client to the pod. */
  ReadStream<Buffer> incoming();

  /** Bytes from the pod to the client. */
  WriteStream<Buffer> outgoing();

  /**
   * Completes, never fails, when the client has disconnected: the provider frees everything it
   * holds for the connection.
   */
  Future<Void> gone();
}
