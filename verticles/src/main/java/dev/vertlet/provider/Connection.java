package dev.vertlet.provider;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import io.vertx.core.streams.WriteStream;

/**
 * One forwarded connection, as the provider sees it. Threads: as for {@link ContainerIo}.
 *
 * <p>Nothing is read before {@link #incoming} has a handler. It ends when the client has sent all;
 * {@code outgoing().end()} says that the pod has. Neither side keeps more than a window of bytes: a
 * stream that is {@linkplain WriteStream#writeQueueFull full} must be waited for.
 */
public interface Connection {
  /** What the client sends into the pod. */
  ReadStream<Buffer> incoming();

  /** What the pod sends to the client. */
  WriteStream<Buffer> outgoing();

  /** Completes, never fails, when the client has gone: everything held for it is to be freed. */
  Future<Void> gone();
}
