package dev.vertlet.http;

import io.vertx.core.http.HttpConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes what goes wrong with connections of a server: without it Vert.x writes an error for each
 * one that a client resets or fills with anything but HTTP. Pure.
 */
final class BrokenConnections {
  private static final Logger LOG = LoggerFactory.getLogger(BrokenConnections.class);

  private BrokenConnections() {}

  /** Hears of this connection from now on; for {@code HttpServer.connectionHandler}. */
  static void hear(HttpConnection connection) {
    connection.exceptionHandler(
        failure ->
            LOG.atDebug()
                .addKeyValue("client", String.valueOf(connection.remoteAddress()))
                .addKeyValue("error", String.valueOf(failure))
                .log("a connection of a client is broken"));
  }
}
