package dev.vertlet.api;

import dev.vertlet.http.HttpServers;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Sockets of the server. Confined to its event loop. */
final class Sockets {
  /** Time for responses in progress when a socket closes. */
  private static final int GRACE_SECONDS = 1;

  /** Time for which an old port stays open for API servers that have just read the node. */
  private static final long RETIRING_MILLIS = 10_000;

  private final Vertx vertx;
  private final HttpServers servers;
  private final Map<HttpServer, Integer> open = new LinkedHashMap<>();

  /** Sockets that are no longer announced, by port. */
  private final Map<Integer, HttpServer> retiring = new LinkedHashMap<>();

  Sockets(Vertx vertx, HttpServers servers) {
    this.vertx = vertx;
    this.servers = servers;
  }

  /**
   * Opens a socket.
   *
   * @param port 0 for any free one
   */
  Future<HttpServer> open(
      HttpServerOptions options, String address, int port, Handler<HttpServerRequest> handler) {
    options.setHost(address).setPort(port);
    HttpServer left = retiring.remove(port);
    Future<?> free = left == null ? Future.succeededFuture() : end(left);
    return free.compose(v -> servers.create(options, handler).listen())
        .onSuccess(server -> open.put(server, server.actualPort()));
  }

  /** Returns whether this server listens on the port: Vert.x would let two servers share it. */
  boolean has(int port) {
    return open.entrySet().stream()
        .anyMatch(e -> e.getValue() == port && !retiring.containsValue(e.getKey()));
  }

  /** Keeps the socket open for a while, then closes it. */
  void retire(HttpServer server) {
    retiring.put(server.actualPort(), server);
    vertx.setTimer(
        RETIRING_MILLIS,
        id -> {
          if (retiring.remove(server.actualPort(), server)) {
            end(server);
          }
        });
  }

  /** Closes the socket. Completes, in any case, when the port is free. */
  Future<?> end(HttpServer server) {
    open.remove(server);
    return server.shutdown(GRACE_SECONDS, TimeUnit.SECONDS).otherwiseEmpty();
  }

  /** Accepts no more requests and ends those in flight. */
  Future<?> close() {
    servers.close();
    return Future.join(List.copyOf(open.keySet()).stream().map(this::end).toList());
  }
}
