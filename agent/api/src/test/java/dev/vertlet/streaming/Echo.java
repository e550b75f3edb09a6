package dev.vertlet.streaming;

import static java.util.Objects.requireNonNull;

import dev.vertlet.provider.stream.Connection;
import dev.vertlet.provider.stream.ContainerIo;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import io.vertx.core.streams.WriteStream;

/** Commands and ports that give back what they get, no faster than it is taken. */
final class Echo {
  private Echo() {}

  /** Copies standard input to standard output and ends with 0, or 141 when the client has gone. */
  static Future<Integer> command(ContainerIo io) {
    return copy(requireNonNull(io.stdin()), requireNonNull(io.stdout()), io.gone())
        .map(0)
        .otherwise(141);
  }

  static Future<Void> port(int port, Connection connection) {
    return copy(connection.incoming(), connection.outgoing(), connection.gone())
        .onSuccess(done -> connection.outgoing().end());
  }

  private static Future<Void> copy(
      ReadStream<Buffer> from, WriteStream<Buffer> to, Future<Void> gone) {
    Promise<Void> done = Promise.promise();
    gone.onComplete(left -> done.tryFail("the client has gone"));
    from.handler(
        bytes -> {
          to.write(bytes);
          if (to.writeQueueFull()) {
            from.pause();
            to.drainHandler(drained -> from.resume());
          }
        });
    from.endHandler(end -> done.tryComplete());
    return done.future();
  }
}
