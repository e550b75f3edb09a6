package dev.vertlet.http;

import io.vertx.core.http.HttpConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles exceptions of a server's connections. Without it, Vert.x logs an error for each
 * connection that a client resets or on which it does not speak HTTP.
 */
final class BrokenConnections {
  private static final Logger LOG = LoggerFactory.getLogger(BrokenConnections.class);

  private BrokenConnections() {}

  /** Handles the exceptions of this connection; for {@code HttpServer.connectionHandler}. */
  static void hear(HttpConnection connection) {
    connection.exceptionHandler(
        failure ->
            LOG.atDebug()
                .addKeyValue("client", String.valueOf(connection.remoteAddress()))
                .addKeyValue("error", String.valueOf(failure))
                .log("a connection of a client is broken"));
  }
}
