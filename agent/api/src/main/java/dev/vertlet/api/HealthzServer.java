package dev.vertlet.api;

import dev.vertlet.api.route.ApiCall;
import dev.vertlet.api.route.Endpoint;
import dev.vertlet.api.route.HealthRoutes;
import dev.vertlet.api.route.PathSegments;
import dev.vertlet.api.route.Route;
import dev.vertlet.http.HttpServers;
import dev.vertlet.server.RequestGuard;
import dev.vertlet.server.ServedLimits;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves {@code /healthz} on the loopback address, for monitors on the machine. As with a kubelet,
 * a port in use does not prevent the start; listening is retried.
 */
public final class HealthzServer extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(HealthzServer.class);
  private static final String LOOPBACK = "127.0.0.1";

  private final int port;
  private final Duration retry;
  private final HealthRoutes health;
  private final Promise<Integer> listening = Promise.promise();
  private @Nullable HttpServer server;

  @SuppressWarnings("NullAway.Init") // set by start
  private HttpServers servers;

  private boolean stopped;
  private boolean complained;

  /**
   * @param overdue names of the blocked event loops
   */
  public HealthzServer(int port, Supplier<List<String>> overdue) {
    this(port, Duration.ofSeconds(5), overdue);
  }

  HealthzServer(int port, Duration retry, Supplier<List<String>> overdue) {
    this.port = port;
    this.retry = retry;
    this.health = new HealthRoutes(overdue);
  }

  /** Completes with the port once the server listens. */
  Future<Integer> listening() {
    return listening.future();
  }

  @Override
  public Future<?> start() {
    servers =
        new HttpServers(
            vertx,
            ServedLimits.HEALTHZ.limits(),
            (reason, client) -> LOG.debug("a connection of {} is closed: {}", client, reason),
            System::nanoTime);
    listen();
    return Future.succeededFuture();
  }

  private void listen() {
    if (stopped) {
      return;
    }
    servers
        .create(
            new HttpServerOptions().setHost(LOOPBACK).setPort(port),
            new RequestGuard(this::handle, HealthzServer::refuse, LOG))
        .listen()
        .onSuccess(
            open -> {
              server = open;
              listening.tryComplete(open.actualPort());
            })
        .onFailure(this::later);
  }

  private void later(Throwable failure) {
    if (!complained) {
      complained = true;
      LOG.warn(
          "cannot listen on 127.0.0.1, server.healthzPort {}: {}; retrying every {} s; --set"
              + " server.healthzPort=0 turns it off",
          port,
          failure.getMessage(),
          retry.toSeconds());
    }
    vertx.setTimer(retry.toMillis(), id -> listen());
  }

  private void handle(HttpServerRequest request) {
    Route route = Route.of(PathSegments.of(request.path()));
    if (route.endpoint() == Endpoint.HEALTHZ && route.node().isEmpty()) {
      health.answer(request, route.rest());
    } else {
      ApiCall.answer(request, 404, ApiCall.TEXT, Buffer.buffer("404 page not found\n"));
    }
  }

  private static void refuse(HttpServerRequest request, int status, String text) {
    ApiCall.answer(request, status, ApiCall.TEXT, Buffer.buffer(text + "\n"));
  }

  @Override
  public Future<?> stop() {
    stopped = true;
    servers.close();
    HttpServer open = server;
    return open == null ? Future.succeededFuture() : open.close();
  }
}
