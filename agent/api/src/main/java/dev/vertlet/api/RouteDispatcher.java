package dev.vertlet.api;

import dev.vertlet.api.route.ApiCall;
import dev.vertlet.api.route.Endpoint;
import dev.vertlet.api.route.HttpFailure;
import dev.vertlet.api.route.PathSegments;
import dev.vertlet.api.route.Route;
import dev.vertlet.api.route.RouteHandler;
import dev.vertlet.auth.AccessControl;
import dev.vertlet.http.HttpServers;
import dev.vertlet.server.RequestCheck;
import dev.vertlet.server.RetryAfter;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles every request: limits, admission, routing, handler, and the response to failures.
 * Confined to the server's event loop.
 */
final class RouteDispatcher {
  private static final Logger LOG = LoggerFactory.getLogger(RouteDispatcher.class);

  private final AccessControl access;
  private final Map<Endpoint, RouteHandler> handlers;
  private final boolean debugging;
  private final ServerLimits limits;
  private final RequestMeter meter;
  private final LongSupplier nanos;
  private final InFlight inFlight;

  /**
   * @param debugging whether the debugging handlers are enabled
   */
  RouteDispatcher(
      AccessControl access,
      Map<Endpoint, RouteHandler> handlers,
      boolean debugging,
      ServerLimits limits,
      InFlight inFlight,
      RequestMeter meter,
      LongSupplier nanos) {
    this.access = access;
    this.handlers = Map.copyOf(handlers);
    this.debugging = debugging;
    this.limits = limits;
    this.inFlight = inFlight;
    this.meter = meter;
    this.nanos = nanos;
  }

  /** Handles a request to its end. */
  void handle(Listener listener, HttpServerRequest request) {
    request.pause();
    Route route = Route.of(PathSegments.of(path(request)));
    long start = nanos.getAsLong();
    RequestMeter.Began began =
        meter.began(
            route.endpoint(),
            request.method().name(),
            listener.open(),
            "websocket".equalsIgnoreCase(request.getHeader(HttpHeaders.UPGRADE)));
    serve(listener, request, route, gone(request))
        .recover(failure -> answer(request, failure))
        .onComplete(over -> began.ended(Duration.ofNanos(nanos.getAsLong() - start)));
  }

  /** Completes when the client leaves. Set first: a later handler misses earlier events. */
  private static Future<Void> gone(HttpServerRequest request) {
    Promise<Void> gone = Promise.promise();
    request.response().closeHandler(v -> gone.tryComplete());
    return gone.future();
  }

  /** Returns the path of the request line; an absolute URI is not accepted. */
  private static String path(HttpServerRequest request) {
    String uri = request.uri();
    int query = uri.indexOf('?');
    return query < 0 ? uri : uri.substring(0, query);
  }

  private Future<Void> serve(
      Listener listener, HttpServerRequest request, Route route, Future<Void> gone) {
    if (tooLong(request)) {
      closeAfter(request);
      return fail(413, "no request here needs so long a body\n");
    }
    String node = listener.serves(route) ? listener.nodeOf(route) : listener.node();
    return admitted(listener, request, node, route)
        .onSuccess(
            user -> {
              if (!listener.open()) {
                HttpServers.admitted(request);
              }
            })
        .compose(user -> counted(listener, new ApiCall(request, route, node, gone)));
  }

  private Future<?> admitted(
      Listener listener, HttpServerRequest request, String node, Route route) {
    if (listener.open()) {
      return Future.succeededFuture();
    }
    return access.admit(request, node, route.subresources());
  }

  private Future<Void> counted(Listener listener, ApiCall call) {
    InFlight.Count count = inFlight.of(listener);
    if (count.served >= limits.requests()) {
      return tooMany(call.request());
    }
    count.served++;
    return route(listener, call).onComplete(over -> count.served--);
  }

  private static Future<Void> tooMany(HttpServerRequest request) {
    return fail(429, "too many requests are served already; try again later\n");
  }

  private boolean tooLong(HttpServerRequest request) {
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    if (length != null) {
      try {
        return Long.parseLong(length) > limits.bodyBytes();
      } catch (NumberFormatException e) {
        return true;
      }
    }
    boolean upgrade = request.getHeader(HttpHeaders.UPGRADE) != null;
    boolean endless = request.getHeader(HttpHeaders.TRANSFER_ENCODING) != null && !upgrade;
    if (endless) {
      // the rest of the request is not read
      closeAfter(request);
    }
    return false;
  }

  /** Closes an HTTP/1.1 connection after the response; HTTP/2 ends a stream by itself. */
  private static void closeAfter(HttpServerRequest request) {
    if (request.version() != HttpVersion.HTTP_2) {
      request.response().putHeader(HttpHeaders.CONNECTION, "close");
    }
  }

  private Future<Void> route(Listener listener, ApiCall call) {
    Endpoint endpoint = call.route().endpoint();
    if (!listener.serves(call.route())) {
      return fail(404, "404: Page Not Found");
    }
    boolean debug = debugging && !listener.open();
    if (endpoint.debugging() && !debug) {
      return fail(405, "Debug endpoints are disabled.\n");
    }
    RouteHandler handler = handlers.get(endpoint);
    if (handler == null || !(endpoint.open() || debug)) {
      return fail(404, nowhere(call.route()));
    }
    String method = call.request().method().name();
    if (!allowed(endpoint, method)) {
      call.request().response().putHeader(HttpHeaders.ALLOW, String.join(", ", sorted(endpoint)));
      return fail(405, "405: Method Not Allowed");
    }
    if (endpoint.scope() == Endpoint.Scope.NODE && call.node().isEmpty()) {
      return fail(
          400,
          "this port serves %d nodes: say which one, as in /nodes/NAME%s\n"
              .formatted(listener.nodes().size(), path(call.request())));
    }
    return readable(call.request()).compose(v -> handler.handle(call));
  }

  /** Decodes the query once, so that no later reader fails on it. */
  private static Future<Void> readable(HttpServerRequest request) {
    return RequestCheck.problem(request)
        .map(problem -> fail(400, problem + "\n"))
        .orElseGet(Future::succeededFuture);
  }

  /** Words the 404 as a kubelet does, whose two kinds of routes word it differently. */
  private static String nowhere(Route route) {
    List<String> path = route.rest();
    boolean begun = !path.isEmpty() && Endpoint.withParameters(path.get(0));
    return begun ? "404: Page Not Found" : "404 page not found\n";
  }

  private static List<String> sorted(Endpoint endpoint) {
    return endpoint.methods().stream().sorted().toList();
  }

  /** Returns whether the endpoint allows the method; documents allow HEAD like GET. */
  private static boolean allowed(Endpoint endpoint, String method) {
    boolean document = endpoint.scope() != Endpoint.Scope.POD && endpoint != Endpoint.LOGS;
    return endpoint.methods().contains(method)
        || (document && method.equals("HEAD") && endpoint.methods().contains("GET"));
  }

  private static Future<Void> fail(int status, String text) {
    return Future.failedFuture(new HttpFailure(status, text));
  }

  private static Future<Void> answer(HttpServerRequest request, Throwable failure) {
    HttpFailure answer = HttpFailure.of(failure);
    if (answer.status() == 500) {
      LOG.atDebug()
          .addKeyValue("path", request.path())
          .addKeyValue("error", answer.text())
          .log("request failed");
    }
    RetryAfter.add(request.response(), answer.status());
    return ApiCall.answer(request, answer.status(), ApiCall.TEXT, Buffer.buffer(answer.text()));
  }
}
