package dev.vertlet.page;

import dev.vertlet.auth.AccessDeniedException;
import dev.vertlet.bus.Addresses;
import dev.vertlet.bus.Bus;
import dev.vertlet.loop.Env;
import dev.vertlet.server.ReadPolicy;
import dev.vertlet.server.RequestGuard;
import dev.vertlet.server.RetryAfter;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Collects events and serves the page; data is written only while somebody views it. */
public final class PageVerticle extends VerticleBase implements Handler<HttpServerRequest> {
  /** Most viewers at once; each costs some milliseconds per second with thousands of nodes. */
  static final int MOST_VIEWERS = 16;

  private static final Logger LOG = LoggerFactory.getLogger(PageVerticle.class);

  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String JSON = "application/json; charset=utf-8";
  private static final String EVENTS = "text/event-stream; charset=utf-8";
  private static final long TICK_MILLIS = 1_000;

  private static final int NO_TIMER = -1;

  private final PageModel model;
  private final PageDocument document;
  private final Bus bus;
  private final ReadPolicy policy;
  private final Env env;
  private final Set<Viewer> viewers = new LinkedHashSet<>();
  private long timer = NO_TIMER;

  @SuppressWarnings("NullAway.Init") // set by start
  private Router router;

  @SuppressWarnings("NullAway.Init") // set by start
  private RequestGuard guard;

  /**
   * The agent that the page shows.
   *
   * @param version of vertlet
   * @param kubernetes version that the agent follows
   */
  public record About(String identity, String version, String kubernetes) {}

  /**
   * @param nodes names of the nodes that the configuration has
   * @param policy decides who may see the page
   * @param env with the machine's own clock, the nanoseconds of {@code PodStats}, and the meters
   *     that the page shows
   */
  public PageVerticle(Collection<String> nodes, About about, Bus bus, ReadPolicy policy, Env env) {
    this.model = new PageModel(nodes, about.identity());
    this.document =
        new PageDocument(
            model,
            new Figures(env.meters()),
            new JsonObject()
                .put("identity", about.identity())
                .put("version", about.version())
                .put("kubernetes", about.kubernetes())
                .put("started", env.clock().millis()));
    this.bus = bus;
    this.policy = policy;
    this.env = env;
  }

  @Override
  public Future<?> start() {
    router = Router.router(vertx);
    guard = new RequestGuard(router, PageVerticle::refuse, LOG);
    PageFiles.mount(router);
    router.get("/page/data").handler(call -> admit(call, this::data));
    router.get("/page/node").handler(call -> admit(call, this::node));
    router.get("/page/events").handler(call -> admit(call, this::events));
    router.route().handler(call -> answer(call, 404, TEXT, "not found\n"));
    router
        .errorHandler(400, call -> answer(call, 400, TEXT, "the path cannot be read\n"))
        .errorHandler(500, call -> guard.failed(call.request(), failure(call)));
    return Future.all(
        List.of(
            bus.consume(Addresses.NODE_ADOPTED, model::on).completion(),
            bus.consume(Addresses.NODE_RELEASED, model::on).completion(),
            bus.consume(Addresses.NODE_REGISTERED, model::on).completion(),
            bus.consume(Addresses.NODE_STATUS_CHANGED, model::on).completion(),
            bus.consume(Addresses.NODE_PINGED, model::on).completion(),
            bus.consume(Addresses.NODES_ASSIGNED, model::on).completion(),
            bus.consume(Addresses.LEASE_ACQUIRED, m -> model.on(m, env.clock().millis()))
                .completion(),
            bus.consume(Addresses.LEASE_LOST, m -> model.on(m, env.clock().millis())).completion(),
            bus.consume(
                    Addresses.NODE_CONFIG_STATUS_CHANGED, m -> model.on(m, env.clock().millis()))
                .completion(),
            bus.consume(
                    Addresses.POD_STATS,
                    m -> model.on(m, env.clock().millis(), env.nanos().getAsLong()))
                .completion()));
  }

  @Override
  public Future<?> stop() {
    viewers.forEach(Viewer::end);
    viewers.clear();
    rest();
    return Future.succeededFuture();
  }

  /** Handles a request for {@code /} or below {@code /page/} on this verticle's context. */
  @Override
  public void handle(HttpServerRequest request) {
    guard.handle(request);
  }

  private static Throwable failure(RoutingContext call) {
    Throwable failure = call.failure();
    return failure == null ? new IllegalStateException("of no known cause") : failure;
  }

  private void admit(RoutingContext call, Handler<RoutingContext> served) {
    policy
        .admit(call.request())
        .onSuccess(
            admitted -> {
              if (!call.response().closed()) {
                served.handle(call);
              }
            })
        .onFailure(denied -> deny(call, denied));
  }

  private static void deny(RoutingContext call, Throwable denied) {
    int status = denied instanceof AccessDeniedException why ? why.status() : 500;
    if (status == 401) {
      call.response().putHeader("WWW-Authenticate", "Bearer");
    }
    RetryAfter.add(call.response(), status);
    answer(call, status, TEXT, String.valueOf(denied.getMessage()).strip() + "\n");
  }

  private void data(RoutingContext call) {
    NodeQuery query = query(call);
    StringBuilder json = new StringBuilder("{\"now\":").append(env.clock().millis());
    sections(query, document.shared(env.clock().millis()))
        .forEach((name, text) -> json.append(",\"" + name + "\":" + text));
    answer(call, 200, JSON, json.append('}').toString());
  }

  private void node(RoutingContext call) {
    String name = call.request().getParam("name");
    NodeLine node = name == null ? null : model.node(name);
    if (node == null) {
      answer(call, 404, TEXT, "no such node\n");
    } else {
      answer(call, 200, JSON, PageDocument.node(node).encode());
    }
  }

  private void events(RoutingContext call) {
    if (viewers.size() >= MOST_VIEWERS) {
      call.response().putHeader(HttpHeaders.RETRY_AFTER, "10");
      answer(call, 503, TEXT, MOST_VIEWERS + " look at this page already\n");
      return;
    }
    HttpServerResponse response = PageFiles.secured(call.response(), EVENTS).setChunked(true);
    Viewer viewer = new Viewer(response, query(call));
    viewers.add(viewer);
    response.closeHandler(closed -> leave(viewer));
    response.exceptionHandler(failed -> leave(viewer));
    if (!viewer.tell(
        sections(viewer.query(), document.shared(env.clock().millis())), env.clock().millis())) {
      leave(viewer);
    }
    if (timer == NO_TIMER && !viewers.isEmpty()) {
      timer = vertx.setPeriodic(TICK_MILLIS, id -> tick());
    }
  }

  private void tick() {
    long now = env.clock().millis();
    Map<String, String> shared = document.shared(now);
    Map<NodeQuery, Map<String, String>> made = new HashMap<>();
    for (Viewer viewer : List.copyOf(viewers)) {
      Map<String, String> all =
          made.computeIfAbsent(viewer.query(), query -> sections(query, shared));
      if (!viewer.tell(all, now)) {
        leave(viewer);
        viewer.end();
      }
    }
  }

  private Map<String, String> sections(NodeQuery query, Map<String, String> shared) {
    Map<String, String> all = new LinkedHashMap<>(shared);
    all.put("table", document.table(query));
    return all;
  }

  private void leave(Viewer viewer) {
    viewers.remove(viewer);
    if (viewers.isEmpty()) {
      rest();
    }
  }

  private void rest() {
    if (timer != NO_TIMER) {
      vertx.cancelTimer(timer);
      timer = NO_TIMER;
    }
  }

  private static NodeQuery query(RoutingContext call) {
    return NodeQuery.of(name -> call.request().getParam(name));
  }

  private static void answer(RoutingContext call, int status, String type, String body) {
    answer(call.response(), status, type, body);
  }

  private static void refuse(HttpServerRequest request, int status, String text) {
    answer(request.response(), status, TEXT, text + "\n");
  }

  private static void answer(HttpServerResponse response, int status, String type, String body) {
    if (!response.closed()) {
      PageFiles.secured(response.setStatusCode(status), type).end(Buffer.buffer(body));
    }
  }
}
