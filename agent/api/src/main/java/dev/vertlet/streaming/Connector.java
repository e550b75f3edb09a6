package dev.vertlet.streaming;

import dev.vertlet.provider.stream.Connection;
import dev.vertlet.streaming.session.StreamSession;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Connects forwarded connections to ports and handles every failure. */
final class Connector {
  private final BiFunction<Integer, Connection, Future<Void>> connect;

  Connector(BiFunction<Integer, Connection, Future<Void>> connect) {
    this.connect = connect;
  }

  /**
   * Connects a connection. Call it on the session's loop.
   *
   * @param over called on that loop when the connection has ended: null, or the error message for
   *     the client
   */
  void connect(
      StreamSession session, int port, Connection connection, Handler<@Nullable String> over) {
    session.handlers.execute(
        () ->
            called(port, connection)
                .onComplete(
                    done ->
                        session
                            .tasks()
                            .run(() -> over.handle(done.succeeded() ? null : text(done.cause())))));
  }

  private Future<Void> called(int port, Connection connection) {
    try {
      return connect.apply(port, connection);
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  private static String text(Throwable failure) {
    String message = failure.getMessage();
    return message == null ? failure.toString() : message;
  }
}
