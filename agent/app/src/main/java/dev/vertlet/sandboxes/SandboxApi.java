package dev.vertlet.sandboxes;

import static dev.vertlet.sandboxes.Responses.JSON;
import static dev.vertlet.sandboxes.Responses.refuse;
import static dev.vertlet.sandboxes.Responses.send;
import static dev.vertlet.sandboxes.Responses.text;

import dev.vertlet.auth.ServiceAccess;
import dev.vertlet.auth.tls.CertificateFiles;
import dev.vertlet.http.HttpServers;
import dev.vertlet.sandbox.pool.PoolVerticle;
import dev.vertlet.server.RefusalMeter;
import dev.vertlet.server.RequestGuard;
import dev.vertlet.server.RetryAfter;
import dev.vertlet.server.Scrape;
import dev.vertlet.server.ServedLimits;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves claims over HTTP as described in {@code /openapi.json}. A process that is not the leader
 * answers 503 and names the leader: forwarding claims would hide which of the two is unreachable.
 */
final class SandboxApi extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(SandboxApi.class);

  private final SandboxConfig config;
  private final Supplier<Optional<PoolVerticle>> pools;
  private final Supplier<LeaderVerticle.Known> leader;
  private final Function<Vertx, ServiceAccess> access;
  private final MeterRegistry metrics;
  private final Promise<Integer> port = Promise.promise();
  private final PageCheck pages;
  private @Nullable RequestGuard guard;
  private @Nullable HttpServers servers;
  private @Nullable CertificateFiles certificate;

  /**
   * @param pools empty while another process acts
   * @param access access control created on this verticle's event loop
   */
  SandboxApi(
      SandboxConfig config,
      Supplier<Optional<PoolVerticle>> pools,
      Supplier<LeaderVerticle.Known> leader,
      Function<Vertx, ServiceAccess> access,
      MeterRegistry metrics) {
    this.config = config;
    this.pools = pools;
    this.leader = leader;
    this.access = access;
    this.metrics = metrics;
    this.pages = new PageCheck(config.api());
  }

  /** Completes with the port once the server listens. */
  Future<Integer> port() {
    return port.future();
  }

  @Override
  public Future<?> start() {
    Router routes = router();
    guard =
        new RequestGuard(
            request -> check(request, routes),
            (request, status, text) ->
                send(
                    request.response(),
                    status,
                    Documents.error(status == 400 ? "Invalid" : "Internal", text)),
            LOG);
    HttpServerOptions options =
        new HttpServerOptions().setHost(config.api().address()).setPort(config.api().port());
    LongSupplier nanos = System::nanoTime;
    HttpServers made =
        new HttpServers(
            vertx,
            ServedLimits.SANDBOX.limits(),
            new RefusalMeter("sandbox", metrics, LOG, nanos),
            nanos);
    servers = made;
    RequestGuard guarding = guard;
    return encrypt(options)
        .compose(encrypted -> made.create(encrypted, guarding).listen())
        .map(HttpServer::actualPort)
        .onComplete(port);
  }

  /** Adds TLS; fails with a line that names keys and files when the certificate is invalid. */
  private Future<HttpServerOptions> encrypt(HttpServerOptions options) {
    Path file = config.api().certificate();
    Path key = config.api().key();
    if (file == null || key == null) {
      return Future.succeededFuture(options);
    }
    return CertificateFiles.follow(vertx, "api.", file, key)
        .map(
            files -> {
              certificate = files;
              return options.setSsl(true).setKeyCertOptions(files.certificate().keyCertOptions());
            });
  }

  @Override
  public Future<?> stop() {
    CertificateFiles files = certificate;
    if (files != null) {
      files.close();
    }
    HttpServers made = servers;
    if (made != null) {
      made.close();
    }
    return Future.succeededFuture();
  }

  private PoolAccess poolAccess() {
    ServiceAccess control = config.api().authenticate() ? access.apply(vertx) : null;
    return new PoolAccess(config.pools(), pools, leader, control);
  }

  Router router() {
    Router router = Router.router(vertx);
    router.get("/healthz").handler(c -> text(c, 200, "ok\n"));
    router.get("/readyz").handler(this::ready);
    router.get("/metrics").handler(this::metrics);
    // one buffer for all requests, as every client may request it without limit
    Buffer openApi = document().toBuffer();
    router
        .get("/openapi.json")
        .handler(c -> c.response().putHeader(HttpHeaders.CONTENT_TYPE, JSON).end(openApi.slice()));
    new PoolRoutes(context, poolAccess(), config.registries()).mount(router);
    router.route().failureHandler(SandboxApi::failedRequest);
    router
        .errorHandler(404, c -> send(c, 404, Documents.error("NotFound", "there is no such path")))
        .errorHandler(
            413, c -> send(c, 413, Documents.error("TooLarge", "a body has 256 KiB at most")))
        .errorHandler(
            400, c -> send(c, 400, Documents.error("Invalid", "the request cannot be read")))
        .errorHandler(500, this::failed);
    return router;
  }

  private void check(HttpServerRequest request, Router routes) {
    pages
        .ofHead(request)
        .ifPresentOrElse(refusal -> refuse(request, refusal), () -> routes.handle(request));
  }

  /** Logs the failure at debug level where the client has disconnected; others are answered. */
  private static void failedRequest(RoutingContext c) {
    if (c.response().closed()) {
      LOG.debug("client disconnected before its answer", c.failure());
    } else {
      c.next();
    }
  }

  private void failed(RoutingContext c) {
    RequestGuard guarding = guard;
    Throwable failure = c.failure();
    if (guarding != null) {
      guarding.failed(
          c.request(), failure == null ? new IllegalStateException("of no known cause") : failure);
    }
  }

  static JsonObject document() {
    try (InputStream in = SandboxApi.class.getResourceAsStream("/sandbox-openapi.json")) {
      if (in == null) {
        throw new IllegalStateException("no jar has /sandbox-openapi.json");
      }
      return new JsonObject(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new IllegalStateException("cannot read /sandbox-openapi.json", e);
    }
  }

  /**
   * Answers readiness. A process that is not the leader is not ready, so a Service sends claims to
   * the leader.
   */
  private void ready(RoutingContext c) {
    Optional<PoolVerticle> acting = pools.get();
    boolean ready = acting.map(PoolVerticle::synced).orElse(false);
    String why = acting.isPresent() ? "the pods are not known yet\n" : "standing by\n";
    text(c, ready ? 200 : 503, ready ? "ok\n" : why);
  }

  private void metrics(RoutingContext c) {
    vertx
        .executeBlocking(() -> Scrape.of(metrics), false)
        .onSuccess(
            text -> {
              if (HttpServers.mayAnswer(c.request(), text.length())) {
                c.response().putHeader(HttpHeaders.CONTENT_TYPE, Scrape.CONTENT_TYPE).end(text);
              } else {
                RetryAfter.add(c.response(), 503);
                text(c, 503, "too many clients read too slowly\n");
              }
            })
        .onFailure(c::fail);
  }
}
