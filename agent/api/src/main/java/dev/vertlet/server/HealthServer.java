package dev.vertlet.server;

import dev.vertlet.auth.AccessDeniedException;
import dev.vertlet.bus.Addresses;
import dev.vertlet.bus.Bus;
import dev.vertlet.http.HttpServers;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.VertxException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves {@code /healthz}, {@code /livez}, {@code /readyz} and {@code /metrics}, and delegates to
 * the page. Live: event loops respond. Ready: every node is registered, its pods are listed and its
 * Lease is held; for adopted nodes, only their list must have been read. As on a kubelet, {@code
 * /healthz/ping} always succeeds, and {@code /healthz/syncloop} fails when a loop has been blocked
 * for minutes.
 */
public final class HealthServer extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(HealthServer.class);

  private static final String TEXT = "text/plain; charset=utf-8";

  private final ServerSettings config;
  private final Bus bus;
  private final Readiness readiness;
  private final Liveness liveness;
  private final MeterRegistry registry;
  private final ReadPolicy policy;
  private final @Nullable Handler<HttpServerRequest> page;
  private final Promise<Integer> port = Promise.promise();
  private @Nullable HttpServers servers;

  /**
   * @param readiness what {@code /readyz} answers; written by this server's context from now on
   * @param registry what {@code /metrics} shows
   * @param policy decides who may see that, and names of nodes in {@code /readyz}
   * @param page what serves {@code /} and {@code /page/…}, which asks the policy itself; null for
   *     nothing
   */
  public HealthServer(
      ServerSettings config,
      Readiness readiness,
      Liveness liveness,
      Bus bus,
      MeterRegistry registry,
      ReadPolicy policy,
      @Nullable Handler<HttpServerRequest> page) {
    this.config = config;
    this.bus = bus;
    this.readiness = readiness;
    this.liveness = liveness;
    this.registry = registry;
    this.policy = policy;
    this.page = page;
  }

  /** Completes with the port once the server listens; fails as the deployment does. */
  public Future<Integer> port() {
    return port.future();
  }

  /** Starts to listen; fails with one line that names address, port and the keys to change. */
  @Override
  public Future<?> start() {
    bus.consume(Addresses.NODE_REGISTERED, readiness::on);
    bus.consume(Addresses.PODS_SYNCED, readiness::on);
    bus.consume(Addresses.LEASE_ACQUIRED, readiness::on);
    bus.consume(Addresses.LEASE_LOST, readiness::on);
    bus.consume(Addresses.NODES_ASSIGNED, readiness::on);
    bus.consume(Addresses.NODE_ADOPTED, readiness::on);
    bus.consume(Addresses.NODE_RELEASED, readiness::on);
    bus.consume(Addresses.NODES_LISTED, readiness::on);
    HttpServerOptions options =
        new HttpServerOptions().setHost(config.address()).setPort(config.port());
    return httpServers()
        .create(
            options,
            new RequestGuard(
                this::handle,
                (request, status, text) -> answer(request, status, TEXT, text + "\n"),
                LOG))
        .listen()
        .map(HttpServer::actualPort)
        .recover(failure -> Future.failedFuture(refused(failure)))
        .onComplete(port);
  }

  private HttpServers httpServers() {
    LongSupplier nanos = System::nanoTime;
    HttpServers made =
        new HttpServers(
            vertx,
            ServedLimits.HEALTH.limits(),
            new RefusalMeter("health", registry, LOG, nanos),
            nanos);
    servers = made;
    return made;
  }

  @Override
  public Future<?> stop() {
    HttpServers made = servers;
    if (made != null) {
      made.close();
    }
    return Future.succeededFuture();
  }

  private VertxException refused(Throwable failure) {
    String message =
        "cannot listen on server.address %s, server.port %d: %s; --set server.port=9300 takes another"
            .formatted(config.address(), config.port(), failure.getMessage());
    return VertxException.noStackTrace(message, failure);
  }

  private void handle(HttpServerRequest request) {
    if (request.method() != HttpMethod.GET && request.method() != HttpMethod.HEAD) {
      request.response().putHeader(HttpHeaders.ALLOW, "GET, HEAD");
      answer(request, 405, TEXT, "only GET and HEAD are served here\n");
      return;
    }
    switch (request.path()) {
      case "/healthz", "/livez" -> health(request);
      case "/healthz/ping" -> answer(request, 200, TEXT, "ok\n");
      case "/healthz/syncloop" -> syncLoop(request);
      case "/readyz" -> ready(request);
      case "/metrics" -> metrics(request);
      default -> other(request);
    }
  }

  private void other(HttpServerRequest request) {
    Handler<HttpServerRequest> served = page;
    if (served != null && (request.path().equals("/") || request.path().startsWith("/page/"))) {
      served.handle(request);
    } else {
      String paths = "/healthz, /livez, /readyz, /metrics" + (served == null ? "" : ", /");
      answer(request, 404, TEXT, "not found; there are " + paths + "\n");
    }
  }

  private void health(HttpServerRequest request) {
    liveness
        .stuck(context)
        .onSuccess(
            stuck ->
                answer(
                    request,
                    stuck.isEmpty() ? 200 : 503,
                    TEXT,
                    stuck.isEmpty()
                        ? "ok\n"
                        : "event loops that do not turn: " + String.join(", ", stuck) + "\n"))
        .onFailure(failure -> answer(request, 500, TEXT, failure.getMessage() + "\n"));
  }

  private void syncLoop(HttpServerRequest request) {
    List<String> overdue = liveness.overdue();
    answer(
        request,
        overdue.isEmpty() ? 200 : 500,
        TEXT,
        overdue.isEmpty()
            ? "ok\n"
            : "sync loop took longer than expected: " + String.join(", ", overdue) + "\n");
  }

  private void ready(HttpServerRequest request) {
    policy.admit(request).onComplete(admitted -> ready(request, admitted.succeeded()));
  }

  private void ready(HttpServerRequest request, boolean named) {
    boolean ready = readiness.isReady();
    List<String> lines = readiness.lines(named);
    boolean verbose = request.getParam("verbose") != null || !ready;
    String verdict = ready ? "ok" : "readyz check failed";
    String body = verbose ? String.join("\n", lines) + "\n" + verdict + "\n" : "ok\n";
    answer(request, ready ? 200 : 503, TEXT, body);
  }

  private void metrics(HttpServerRequest request) {
    policy
        .admit(request)
        .onSuccess(admitted -> scrape(request))
        .onFailure(denied -> deny(request, denied));
  }

  private static void deny(HttpServerRequest request, Throwable denied) {
    int status = denied instanceof AccessDeniedException why ? why.status() : 500;
    if (status == 401 && !request.response().closed()) {
      request.response().putHeader("WWW-Authenticate", "Bearer");
    }
    RetryAfter.add(request.response(), status);
    answer(request, status, TEXT, String.valueOf(denied.getMessage()).strip() + "\n");
  }

  private void scrape(HttpServerRequest request) {
    vertx
        .executeBlocking(() -> Scrape.of(registry), false)
        .onSuccess(
            text -> {
              if (HttpServers.mayAnswer(request, text.length())) {
                answer(request, 200, Scrape.CONTENT_TYPE, text);
              } else {
                RetryAfter.add(request.response(), 503);
                answer(request, 503, TEXT, "too many clients read too slowly\n");
              }
            })
        .onFailure(failure -> answer(request, 500, TEXT, failure.getMessage() + "\n"));
  }

  private static void answer(HttpServerRequest request, int status, String type, String body) {
    if (request.response().closed()) {
      return; // the client has left
    }
    HttpServerResponse response =
        request
            .response()
            .setStatusCode(status)
            .putHeader(HttpHeaders.CONTENT_TYPE, type)
            .putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    Buffer bytes = Buffer.buffer(body);
    Future<Void> sent =
        request.method() == HttpMethod.HEAD
            ? response.putHeader(HttpHeaders.CONTENT_LENGTH, "" + bytes.length()).end()
            : response.end(bytes);
    sent.onFailure(gone -> LOG.debug("client disconnected before its answer", gone));
  }
}
