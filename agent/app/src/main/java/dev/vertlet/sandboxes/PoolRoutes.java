package dev.vertlet.sandboxes;

import static dev.vertlet.sandboxes.Responses.refuse;
import static dev.vertlet.sandboxes.Responses.send;

import dev.vertlet.sandbox.SandboxException;
import dev.vertlet.sandbox.pool.Pool;
import dev.vertlet.sandbox.pool.PoolStatus;
import dev.vertlet.sandbox.pool.PoolVerticle;
import dev.vertlet.sandbox.pool.claim.ClaimRequest;
import dev.vertlet.sandbox.pool.claim.PendingClaim;
import dev.vertlet.sandbox.pool.claim.Sandbox;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves the pools and their claims below {@code /v1/pools}. */
final class PoolRoutes {
  private static final Logger LOG = LoggerFactory.getLogger(PoolRoutes.class);

  /** Key of the pools in an admitted request's context. */
  private static final String POOLS = "pools";

  /** Most bytes of a claim with labels and annotations, the limit of a pod's annotations. */
  private static final int MAX_BODY = 256 * 1024;

  /** Longest wait of a claim, shorter than the timeouts of proxies. */
  private static final Duration LONGEST_POLL = Duration.ofSeconds(60);

  private static final long HEARTBEAT_MILLIS = 15_000;

  private final Context context;
  private final PoolAccess access;
  private final AllowedRegistries registries;

  /**
   * @param context the server's
   */
  PoolRoutes(Context context, PoolAccess access, AllowedRegistries registries) {
    this.context = context;
    this.access = access;
    this.registries = registries;
  }

  void mount(Router router) {
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
        .handler(c -> asked(c, "list", Pool::sandboxes, PoolRoutes::list));
    router.get("/v1/pools/:pool/claims/:id").handler(this::get);
    router.delete("/v1/pools/:pool/claims/:id").handler(this::release);
    router
        .put("/v1/pools/:pool/claims/:id/activity")
        .handler(c -> act(c, "update", (pool, id) -> pool.touch(id), Documents::sandbox));
  }

  private void listPools(RoutingContext c) {
    answer(
        c,
        access.admitToAll(c, "list"),
        all ->
            Future.all(
                    all.names().stream()
                        .map(n -> all.ask(n, p -> Future.succeededFuture(p.status())))
                        .toList())
                .map(
                    statuses -> {
                      JsonArray items = new JsonArray();
                      statuses.<PoolStatus>list().forEach(s -> items.add(Documents.pool(s)));
                      return new JsonObject().put("items", items);
                    }));
  }

  private static JsonObject list(List<Sandbox> all) {
    JsonArray items = new JsonArray();
    all.forEach(sandbox -> items.add(Documents.sandbox(sandbox)));
    return new JsonObject().put("items", items);
  }

  private <T> void asked(
      RoutingContext c, String verb, Function<Pool, T> read, Function<T, JsonObject> write) {
    String name = c.pathParam("pool");
    answer(
        c,
        access.admit(c, verb),
        all -> all.ask(name, p -> Future.succeededFuture(read.apply(p))).map(write));
  }

  private <T> void act(
      RoutingContext c,
      String verb,
      BiFunction<Pool, String, Future<T>> question,
      Function<T, JsonObject> write) {
    String name = c.pathParam("pool");
    String id = c.pathParam("id");
    answer(c, access.admit(c, verb), all -> all.ask(name, p -> question.apply(p, id)).map(write));
  }

  private static void answer(
      RoutingContext c,
      Future<PoolVerticle> admitted,
      Function<PoolVerticle, Future<JsonObject>> question) {
    admitted.onSuccess(
        all ->
            question
                .apply(all)
                .onSuccess(answer -> send(c, 200, answer))
                .onFailure(failure -> refuse(c, failure)));
  }

  /** Authenticates and authorizes the sender before the claim's body is read. */
  private void admitClaim(RoutingContext c) {
    c.request().pause();
    access
        .admit(c, "create")
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
      registries.check(request.images().values());
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
              gone.future().onComplete(v -> end(all, name, pending.leave()));
              return pending.sandbox();
            })
        .onSuccess(sandbox -> send(c, 201, Documents.sandbox(sandbox)))
        .onFailure(failure -> refuse(c, failure));
  }

  /** Runs the end of a claim or of a watch on the pool's context. */
  private static void end(PoolVerticle all, String name, Runnable action) {
    all.ask(
            name,
            pool -> {
              action.run();
              return Future.succeededFuture(true);
            })
        .onFailure(e -> LOG.debug("nothing to end", e));
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
    access
        .admit(c, "watch")
        .onSuccess(
            all -> {
              HttpServerResponse response =
                  c.response()
                      .setChunked(true)
                      .putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream")
                      .putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
              long timer =
                  context
                      .owner()
                      .setPeriodic(HEARTBEAT_MILLIS, id -> response.write(": alive\n\n"));
              Promise<Void> closed = Promise.promise();
              response.closeHandler(v -> closed.tryComplete());
              all.ask(
                      name,
                      pool -> {
                        Runnable end =
                            pool.watch(s -> context.runOnContext(v -> event(response, s)));
                        closed.future().onComplete(v -> end(all, name, end));
                        return Future.succeededFuture(pool.sandboxes());
                      })
                  .onSuccess(known -> known.forEach(s -> event(response, s)))
                  .onFailure(e -> response.end());
              closed.future().onComplete(v -> context.owner().cancelTimer(timer));
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
}
