package dev.vertlet.cri.stream;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.WriteStream;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Writes what a connection receives to a client, which slows the connection down. Confined to the
 * connection's loop.
 */
final class OutputSink {
  private final SpdyConnection connection;
  private final @Nullable WriteStream<Buffer> target;
  private Future<Void> last = Future.succeededFuture();

  /**
   * @param target null for a client that does not want this output
   */
  OutputSink(SpdyConnection connection, @Nullable WriteStream<Buffer> target) {
    this.connection = connection;
    this.target = target;
  }

  void write(Buffer data) {
    WriteStream<Buffer> to = target;
    if (to == null) {
      return;
    }
    Future<Void> written = to.write(data);
    last = written;
    written.onFailure(failure -> connection.run(connection::close));
    if (to.writeQueueFull()) {
      connection.full();
      // a drain between the check and the handler is made up for by the write's completion
      AtomicBoolean continued = new AtomicBoolean();
      Runnable next =
          () -> {
            if (continued.compareAndSet(false, true)) {
              connection.run(connection::taken);
            }
          };
      to.drainHandler(drained -> next.run());
      written.onComplete(result -> next.run());
    }
  }

  /** Completes when everything so far was written; fails if the client takes no more. */
  Future<Void> written() {
    return last;
  }
}
