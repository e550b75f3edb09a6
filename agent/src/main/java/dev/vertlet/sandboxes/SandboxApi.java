package dev.vertlet.sandboxes;

import dev.vertlet.auth.AccessDeniedException;
import dev.vertlet.auth.CertificateFiles;
import dev.vertlet.auth.ServiceAccess;
import dev.vertlet.auth.ServiceAccess.Action;
import dev.vertlet.http.HttpServers;
import dev.vertlet.kube.KubeException;
import dev.vertlet.metrics.Metrics;
import dev.vertlet.sandbox.SandboxException;
import dev.vertlet.sandbox.pool.ClaimRequest;
import dev.vertlet.sandbox.pool.PendingClaim;
import dev.vertlet.sandbox.pool.Pool;
import dev.vertlet.sandbox.pool.PoolSpec;
import dev.vertlet.sandbox.pool.PoolVerticle;
import dev.vertlet.sandbox.pool.Sandbox;
import dev.vertlet.server.RefusalMeter;
import dev.vertlet.server.RequestGuard;
import dev.vertlet.server.RetryAfter;
import dev.vertlet.server.ServedLimits;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiFunction;
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
  static final String GROUP = "vertlet.dev";
  static final String RESOURCE = "sandboxclaims";

  private static final Logger LOG = LoggerFactory.getLogger(SandboxApi.class);
  private static final String JSON = "application/json";

  /** Key of the pools in an admitted request's context. */
  private static final String POOLS = "pools";

  /** Most bytes of a claim with labels and annotations, the limit of a pod's annotations. */
  private static final int MAX_BODY = 256 * 1024;

  /** Longest wait of a claim, shorter than the timeouts of proxies. */
  private static final Duration LONGEST_POLL = Duration.ofSeconds(60);

  private static final long HEARTBEAT_MILLIS = 15_000;

  private final SandboxConfig config;
  private final Supplier<Optional<PoolVerticle>> pools;
  private final Supplier<LeaderVerticle.Known> leader;
  private final Function<io.vertx.core.Vertx, ServiceAccess> access;
  private final MeterRegistry metrics;
  private final Promise<Integer> port = Promise.promise();
  private @Nullable ServiceAccess admission;
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
      Function<io.vertx.core.Vertx, ServiceAccess> access,
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
    if (config.api().authenticate()) {
      admission = access.apply(vertx);
    }
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
    router.get("/v1/pools").handler(this::listPools);
    router.get("/v1/pools/:pool").handler(c -> asked(c, "get", Pool::status, Documents::pool));
    router.get("/v1/pools/:pool/watch").handler(this::watch);
    router.post("/v1/pools/:pool/claims").handler(this::admitClaim);
    router
        .post("/v1/pools/:pool/claims")
        .handler(BodyHandler.create(false).setBodyLimit(MAX_BODY))
        .handler(this::claim);
    router
        .get("/v1/pools/:pool/claims")
        .handler(c -> asked(c, "list", Pool::sandboxes, SandboxApi::list));
    router.get("/v1/pools/:pool/claims/:id").handler(this::get);
    router.delete("/v1/pools/:pool/claims/:id").handler(this::release);
    router
        .put("/v1/pools/:pool/claims/:id/activity")
        .handler(c -> act(c, "update", (pool, id) -> pool.touch(id), Documents::sandbox));
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

  private static void refuse(HttpServerRequest request, PageCheck.Refusal refusal) {
    closeUnlessRead(request);
    send(
        request.response(), refusal.status(), Documents.error(refusal.reason(), refusal.message()));
  }

  /** Logs the failure at debug level where the client has disconnected; others are answered. */
  private static void failedRequest(RoutingContext c) {
    if (c.response().closed()) {
      LOG.debug("the client left before its answer", c.failure());
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
        .executeBlocking(() -> Metrics.scrape(metrics), false)
        .onSuccess(
            text -> {
              if (HttpServers.mayAnswer(c.request(), text.length())) {
                c.response().putHeader(HttpHeaders.CONTENT_TYPE, Metrics.CONTENT_TYPE).end(text);
              } else {
                RetryAfter.add(c.response(), 503);
                text(c, 503, "too many clients read too slowly\n");
              }
            })
        .onFailure(c::fail);
  }

  // ---- pools

  private void listPools(RoutingContext c) {
    admitted(
        c,
        "list",
        new Action("list", GROUP, RESOURCE, "", ""),
        all ->
            Future.all(
                    all.names().stream()
                        .map(n -> all.ask(n, p -> Future.succeededFuture(p.status())))
                        .toList())
                .map(
                    statuses -> {
                      JsonArray items = new JsonArray();
                      statuses
                          .<dev.vertlet.sandbox.pool.PoolStatus>list()
                          .forEach(s -> items.add(Documents.pool(s)));
                      return new JsonObject().put("items", items);
                    }),
        200);
  }

  private static JsonObject list(List<Sandbox> all) {
    JsonArray items = new JsonArray();
    all.forEach(sandbox -> items.add(Documents.sandbox(sandbox)));
    return new JsonObject().put("items", items);
  }

  private <T> void asked(
      RoutingContext c, String verb, Function<Pool, T> read, Function<T, JsonObject> write) {
    String name = c.pathParam("pool");
    admitted(
        c,
        verb,
        action(c, verb),
        all -> all.ask(name, p -> Future.succeededFuture(read.apply(p))).map(write),
        200);
  }

  private <T> void act(
      RoutingContext c,
      String verb,
      BiFunction<Pool, String, Future<T>> question,
      Function<T, JsonObject> write) {
    String name = c.pathParam("pool");
    String id = c.pathParam("id");
    admitted(
        c, verb, action(c, verb), all -> all.ask(name, p -> question.apply(p, id)).map(write), 200);
  }

  /** Authenticates and authorizes the sender before the claim's body is read. */
  private void admitClaim(RoutingContext c) {
    c.request().pause();
    admit(c, action(c, "create"))
        .onSuccess(
            all -> {
              c.put(POOLS, all);
              Optional<PageCheck.Refusal> refusal = PageCheck.ofContent(c.request());
              refusal.ifPresent(why -> refuse(c.request(), why));
              c.request().resume();
              if (refusal.isEmpty()) {
                c.next();
              }
            })
        .onFailure(refused -> c.request().resume()); // discards what the client still sends
  }

  private void claim(RoutingContext c) {
    String body = c.body().asString();
    ClaimRequest request;
    try {
      request = Documents.claim(body == null ? "" : body, UUID.randomUUID().toString());
      config.registries().check(request.images().values());
    } catch (IllegalArgumentException e) {
      send(c, 400, Documents.error("Invalid", String.valueOf(e.getMessage())));
      return;
    } catch (SandboxException e) {
      refuse(c, e);
      return;
    }
    if (c.response().closed()) {
      return; // the client has left
    }
    PoolVerticle all = c.get(POOLS);
    String name = c.pathParam("pool");
    Promise<Void> gone = Promise.promise();
    // a client that has left must not keep a pod
    c.response().closeHandler(v -> gone.tryComplete());
    all.ask(
            name,
            pool -> {
              PendingClaim pending = pool.enter(request);
              gone.future().onComplete(v -> leave(all, name, pending));
              return pending.sandbox();
            })
        .onSuccess(sandbox -> send(c, 201, Documents.sandbox(sandbox)))
        .onFailure(failure -> refuse(c, failure));
  }

  private static void leave(PoolVerticle all, String name, PendingClaim pending) {
    all.ask(
            name,
            pool -> {
              pending.leave().run();
              return Future.succeededFuture(true);
            })
        .onFailure(e -> LOG.debug("nothing to take back", e));
  }

  private void get(RoutingContext c) {
    String phase = c.request().getParam("waitFor", "");
    Duration patience;
    try {
      long seconds = Long.parseLong(c.request().getParam("timeoutSeconds", "30"));
      patience = Duration.ofSeconds(Math.max(0, Math.min(seconds, LONGEST_POLL.toSeconds())));
    } catch (NumberFormatException e) {
      send(c, 400, Documents.error("Invalid", "timeoutSeconds must be a number"));
      return;
    }
    act(
        c,
        "get",
        (pool, id) -> pool.await(id, phase, phase.isEmpty() ? Duration.ZERO : patience),
        Documents::sandbox);
  }

  private void release(RoutingContext c) {
    String id = c.pathParam("id");
    act(
        c,
        "delete",
        Pool::release,
        gone ->
            gone.map(Documents::sandbox)
                .orElseGet(() -> new JsonObject().put("id", id).put("phase", Sandbox.GONE)));
  }

  /** Sends changes as server-sent events: first all sandboxes, then each change. */
  private void watch(RoutingContext c) {
    String name = c.pathParam("pool");
    admit(c, action(c, "watch"))
        .onSuccess(
            all -> {
              HttpServerResponse response =
                  c.response()
                      .setChunked(true)
                      .putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream")
                      .putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
              io.vertx.core.Context own = context;
              long timer = vertx.setPeriodic(HEARTBEAT_MILLIS, id -> response.write(": alive\n\n"));
              Promise<Void> closed = Promise.promise();
              response.closeHandler(v -> closed.tryComplete());
              all.ask(
                      name,
                      pool -> {
                        Runnable end = pool.watch(s -> own.runOnContext(v -> event(response, s)));
                        closed
                            .future()
                            .onComplete(
                                v ->
                                    all.ask(
                                        name,
                                        p -> {
                                          end.run();
                                          return Future.succeededFuture(true);
                                        }));
                        return Future.succeededFuture(pool.sandboxes());
                      })
                  .onSuccess(known -> known.forEach(s -> event(response, s)))
                  .onFailure(e -> response.end());
              closed.future().onComplete(v -> vertx.cancelTimer(timer));
            });
  }

  /** Sends an event; disconnects a client that does not read. Its next watch starts anew. */
  private static void event(HttpServerResponse response, Sandbox sandbox) {
    if (response.writeQueueFull()) {
      response.reset();
    } else if (!response.closed()) {
      response.write("data: " + Documents.sandbox(sandbox).encode() + "\n\n");
    }
  }

  // ---- access control and responses

  private Action action(RoutingContext c, String verb) {
    String name = c.pathParam("pool");
    String namespace =
        config.pools().stream()
            .filter(pool -> pool.name().equals(name))
            .map(PoolSpec::namespace)
            .findFirst()
            .orElse("");
    return new Action(verb, GROUP, RESOURCE, namespace, name);
  }

  private void admitted(
      RoutingContext c,
      String verb,
      Action action,
      Function<PoolVerticle, Future<JsonObject>> question,
      int success) {
    admit(c, action)
        .onSuccess(
            all ->
                question
                    .apply(all)
                    .onSuccess(answer -> send(c, success, answer))
                    .onFailure(failure -> refuse(c, failure)));
  }

  /** Fails after it has sent the error response itself. */
  private Future<PoolVerticle> admit(RoutingContext c, Action action) {
    ServiceAccess asked = admission;
    Future<?> known = asked == null ? Future.succeededFuture() : asked.admit(c.request(), action);
    return known
        .onSuccess(user -> HttpServers.admitted(c.request()))
        .compose(
            user ->
                pools
                    .get()
                    .map(Future::succeededFuture)
                    .orElseGet(() -> Future.failedFuture(new StandingBy(leader.get()))))
        .onFailure(
            failure -> {
              closeUnlessRead(c.request());
              refuse(c, failure);
            });
  }

  /** Closes an HTTP/1.1 connection whose rejected body is not read. */
  private static void closeUnlessRead(HttpServerRequest request) {
    if (hasBody(request)) {
      request.response().putHeader(HttpHeaders.CONNECTION, "close");
    }
  }

  /** Returns whether the body is incomplete; HTTP/2 ends a stream by itself. */
  private static boolean hasBody(HttpServerRequest request) {
    MultiMap headers = request.headers();
    return !request.isEnded()
        && request.version() != HttpVersion.HTTP_2
        && (headers.contains(HttpHeaders.CONTENT_LENGTH)
            || headers.contains(HttpHeaders.TRANSFER_ENCODING));
  }

  private static final class StandingBy extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient LeaderVerticle.Known leader;

    StandingBy(LeaderVerticle.Known leader) {
      super("another process acts for the pools", null, false, false);
      this.leader = leader;
    }
  }

  private static void refuse(RoutingContext c, Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    if (failure instanceof AccessDeniedException denied) {
      String reason =
          switch (denied.status()) {
            case 401 -> "Unauthorized";
            case 403 -> "Forbidden";
            case 429 -> "TooManyRequests";
            default -> "Unavailable";
          };
      RetryAfter.add(c.response(), denied.status());
      send(c, denied.status(), Documents.error(reason, denied.text()));
    } else if (failure instanceof StandingBy other) {
      JsonObject body = Documents.error("NotLeader", message);
      body.put("leader", other.leader.identity()).put("url", other.leader.url());
      RetryAfter.add(c.response(), 503);
      send(c, 503, body);
    } else if (failure instanceof SandboxException refused) {
      send(c, status(refused.reason()), Documents.error(name(refused.reason()), message));
    } else if (failure instanceof KubeException) {
      send(c, 502, Documents.error("ApiServer", message));
    } else {
      c.fail(failure);
    }
  }

  static int status(SandboxException.Reason reason) {
    return switch (reason) {
      case NO_CONTAINERS, CONTAINER_NOT_FOUND, IMAGE_REQUIRED, INVALID_OPTION -> 400;
      case NOT_FOUND -> 404;
      case UNEXPECTED_PHASE, NOT_RUNNING, UNREADABLE_STATE -> 409;
      case QUEUE_FULL -> 429;
      case NO_IDLE_PODS -> 503;
    };
  }

  /** Spells {@code NO_IDLE_PODS} as {@code NoIdlePods} in the API. */
  static String name(SandboxException.Reason reason) {
    StringBuilder name = new StringBuilder();
    for (String word : reason.name().split("_", -1)) {
      name.append(word.charAt(0)).append(word.substring(1).toLowerCase(java.util.Locale.ROOT));
    }
    return name.toString();
  }

  private static void text(RoutingContext c, int status, String body) {
    c.response()
        .setStatusCode(status)
        .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
        .end(body);
  }

  private static void send(RoutingContext c, int status, JsonObject body) {
    send(c.response(), status, body);
  }

  private static void send(HttpServerResponse response, int status, JsonObject body) {
    if (!response.ended() && !response.closed()) {
      response.setStatusCode(status).putHeader(HttpHeaders.CONTENT_TYPE, JSON).end(body.encode());
    }
  }
}
