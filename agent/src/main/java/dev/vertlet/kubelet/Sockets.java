package dev.vertlet.kubelet;

import dev.vertlet.config.ServerConfig;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Where the server listens. Confined to its event loop. */
final class Sockets {
  /** As Go's servers. */
  private static final int STREAMS_PER_CONNECTION = 250;

  /**
   * 10 × 250 streams = 2500 in 30 s: all streams of a connection may be cancelled every 3 s, where
   * the default of 200 would end it with the first. A flood of resets has thousands a second.
   */
  private static final int MOST_RESETS = 10 * STREAMS_PER_CONNECTION;

  private static final int RESETS_SECONDS = 30;

  /** What is being answered when a socket ends has as long. */
  private static final int GRACE_SECONDS = 1;

  /** An API server that has just read the node may still ask on the port that was left. */
  private static final long RETIRING_MILLIS = 10_000;

  private final Vertx vertx;
  private final ServerConfig config;
  private final Connections connections;
  private final Map<HttpServer, Integer> open = new LinkedHashMap<>();

  /** Those that nobody is told of any more, by their ports. */
  private final Map<Integer, HttpServer> retiring = new LinkedHashMap<>();

  Sockets(Vertx vertx, ServerConfig config, Connections connections) {
    this.vertx = vertx;
    this.config = config;
    this.connections = connections;
  }

  /**
   * @param port 0 for any free one
   */
  Future<HttpServer> open(
      HttpServerOptions options, String address, int port, Handler<HttpServerRequest> handler) {
    options
        .setHost(address)
        .setPort(port)
        .setTcpKeepAlive(true)
        .setMaxInitialLineLength(config.maxHeaderBytes())
        .setMaxHeaderSize(config.maxHeaderBytes())
        .setHttp2RstFloodMaxRstFramePerWindow(MOST_RESETS)
        .setHttp2RstFloodWindowDuration(RESETS_SECONDS)
        .setHttp2RstFloodWindowDurationTimeUnit(TimeUnit.SECONDS)
        .setInitialSettings(
            new Http2Settings()
                .setMaxConcurrentStreams(STREAMS_PER_CONNECTION)
                .setMaxHeaderListSize(config.maxHeaderBytes()));
    HttpServer left = retiring.remove(port);
    Future<?> free = left == null ? Future.succeededFuture() : end(left);
    return free.compose(
            v ->
                vertx
                    .createHttpServer(options)
                    .connectionHandler(connections::opened)
                    .requestHandler(handler)
                    .listen())
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
    return Future.join(List.copyOf(open.keySet()).stream().map(this::end).toList());
  }
}
