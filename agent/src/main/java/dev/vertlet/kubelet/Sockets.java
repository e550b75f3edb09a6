package dev.vertlet.kubelet;

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

/** Where the server listens. Confined to its event loop. */
final class Sockets {
  /** What is being answered when a socket ends has as long. */
  private static final int GRACE_SECONDS = 1;

  /** An API server that has just read the node may still ask on the port that was left. */
  private static final long RETIRING_MILLIS = 10_000;

  private final Vertx vertx;
  private final HttpServers servers;
  private final Map<HttpServer, Integer> open = new LinkedHashMap<>();

  /** Those that nobody is told of any more, by their ports. */
  private final Map<Integer, HttpServer> retiring = new LinkedHashMap<>();

  Sockets(Vertx vertx, HttpServers servers) {
    this.vertx = vertx;
    this.servers = servers;
  }

  /**
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

  /** Whether somebody of this server listens there: Vert.x would let two share a port. */
  boolean has(int port) {
    return open.entrySet().stream()
        .anyMatch(e -> e.getValue() == port && !retiring.containsValue(e.getKey()));
  }

  /** Listens on for a while. */
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

  /** Completes, in any case, when nobody listens there any more. */
  Future<?> end(HttpServer server) {
    open.remove(server);
    return server.shutdown(GRACE_SECONDS, TimeUnit.SECONDS).otherwiseEmpty();
  }

  /** Takes no new requests, and ends those that are under way. */
  Future<?> close() {
    servers.close();
    return Future.join(List.copyOf(open.keySet()).stream().map(this::end).toList());
  }
}
