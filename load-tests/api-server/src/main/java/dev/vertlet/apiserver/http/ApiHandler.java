package dev.vertlet.apiserver.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.QueryFlag;
import dev.vertlet.apiserver.api.ResourceType;
import dev.vertlet.apiserver.fault.Action;
import dev.vertlet.apiserver.fault.ApiRequest;
import dev.vertlet.apiserver.fault.Fault;
import dev.vertlet.apiserver.fault.Faults;
import dev.vertlet.apiserver.fault.RequestLog;
import dev.vertlet.apiserver.registry.Resource;
import dev.vertlet.apiserver.registry.Resources;
import dev.vertlet.apiserver.schema.OpenApi;
import dev.vertlet.apiserver.schema.OpenApiV2;
import dev.vertlet.apiserver.websocket.WebSocketUpgrade;
import dev.vertlet.http.BoundedBody;
import dev.vertlet.http.HttpServers;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The way of every request: understand, log, authenticate, misbehave if scripted, serve. */
public final class ApiHandler {
  private static final Logger LOG = LoggerFactory.getLogger(ApiHandler.class);

  /** The real server's limit of a request body, 3 MiB. */
  private static final int MAX_BODY = 3 * 1024 * 1024;

  /** Paths the real server shows to anyone. */
  private static final Set<String> PUBLIC = Set.of("/healthz", "/livez", "/readyz", "/version");

  private final Vertx vertx;
  private final Resources resources;
  private final ResourceHandler handler;
  private final ConnectHandler connections;
  private final MetricsHandler metrics;
  private final Reviews reviews;
  private final Discovery discovery;
  private final OpenApi openApi;
  private final Authenticator authenticator;
  private final Faults faults;
  private final RequestLog log;
  private final Clock clock;
  private long sequence;

  public ApiHandler(
      Vertx vertx,
      Resources resources,
      ResourceHandler handler,
      ConnectHandler connections,
      MetricsHandler metrics,
      Authenticator authenticator,
      Faults faults,
      RequestLog log,
      Clock clock) {
    this.vertx = vertx;
    this.resources = resources;
    this.handler = handler;
    this.connections = connections;
    this.metrics = metrics;
    this.reviews = new Reviews(authenticator);
    this.discovery = new Discovery(resources);
    this.openApi = new OpenApi(resources.all().stream().map(Resource::type).toList());
    this.authenticator = authenticator;
    this.faults = faults;
    this.log = log;
    this.clock = clock;
  }

  /** Serves one request. */
  public void handle(HttpServerRequest http) {
    if (authenticator.sender(authorization(http)).isEmpty()) {
      answered(http, Buffer.buffer()); // of strangers no body is read
      return;
    }
    HttpServers.admitted(http);
    BoundedBody.read(http, MAX_BODY)
        .onSuccess(body -> answered(http, body))
        .onFailure(gone -> LOG.debug("the client left before its request was complete", gone));
  }

  /** A client waits for ever for what is thrown at the event loop. */
  private void answered(HttpServerRequest http, Buffer body) {
    try {
      handle(http, body);
    } catch (RuntimeException bug) {
      LOG.atError().addKeyValue("error", String.valueOf(bug)).log("a request cannot be read");
      refuse(http, new ApiException(500, "InternalError", "Internal error occurred: " + bug));
    }
  }

  private void handle(HttpServerRequest http, Buffer body) {
    Map<String, String> query = new HashMap<>();
    try { // decodes the query here, once: later readers cannot fail
      http.params().forEach(entry -> query.putIfAbsent(entry.getKey(), entry.getValue()));
    } catch (IllegalArgumentException malformed) {
      refuse(http, ApiException.badRequest("the query cannot be read: " + malformed.getMessage()));
      return;
    }
    String watch = query.get("watch");
    RequestInfo info =
        RequestInfo.of(http.method().name(), http.path(), watch != null && QueryFlag.isTrue(watch));
    ApiRequest request = request(http, info, query, body);
    log.add(request);
    Optional<User> sender = authenticator.sender(authorization(http));
    Exchange exchange;
    try {
      exchange = new Exchange(http, request, admitted(http, sender, request, info));
    } catch (ApiException refused) {
      new Exchange(http, request, sender.orElse(User.ANONYMOUS)).fail(refused);
      return;
    }
    if (body.length() > MAX_BODY) {
      exchange.fail(
          new ApiException(
              413, "RequestEntityTooLarge", "Request entity too large: limit is " + MAX_BODY));
    } else {
      afterFaults(exchange, info, faults.strike(exchange.request()));
    }
  }

  private static void refuse(HttpServerRequest http, ApiException refused) {
    http.response()
        .setStatusCode(refused.code())
        .putHeader("content-type", "application/json")
        .end(Buffer.buffer(Json.bytes(refused.toStatus())))
        .onFailure(gone -> LOG.debug("the client disconnected before its answer", gone));
  }

  /**
   * As whom a request is served: its sender, or the user it is sent in the name of.
   *
   * @throws ApiException where that is not allowed
   */
  private static User admitted(
      HttpServerRequest http, Optional<User> sender, ApiRequest request, RequestInfo info) {
    Optional<User> wanted =
        Impersonation.isAsked(http.headers())
            ? Impersonation.wanted(http.headers())
            : Optional.empty();
    boolean open = PUBLIC.contains(request.path());
    if (sender.isEmpty() && (wanted.isPresent() || !open)) {
      throw ApiException.unauthorized();
    }
    User user = sender.orElse(User.ANONYMOUS);
    if (wanted.isPresent()) {
      refuse(Authorizer.refusal(user, wanted.get(), request, info.isResource()));
      user = wanted.get();
    }
    if (!open) {
      refuse(Authorizer.refusal(user, request, info.isResource()));
    }
    return user;
  }

  private static void refuse(Optional<ApiException> refusal) {
    if (refusal.isPresent()) {
      throw refusal.get();
    }
  }

  private ApiRequest request(
      HttpServerRequest http, RequestInfo info, Map<String, String> query, Buffer body) {
    String type = header(http, "content-type");
    int parameters = type.indexOf(';');
    return new ApiRequest(
        ++sequence,
        clock.instant(),
        http.method().name(),
        http.version().name(),
        http.path(),
        query,
        info.verb(),
        info.group(),
        info.resource(),
        info.subresource(),
        info.namespace(),
        info.name(),
        (parameters < 0 ? type : type.substring(0, parameters)).trim(),
        header(http, "accept"),
        header(http, "user-agent"),
        body);
  }

  private static String authorization(HttpServerRequest http) {
    String given = header(http, "authorization");
    return given.isEmpty() && WebSocketUpgrade.isAsked(http)
        ? WebSocketUpgrade.token(http.headers()).map(token -> "Bearer " + token).orElse("")
        : given;
  }

  private static String header(HttpServerRequest http, String name) {
    String value = http.getHeader(name);
    return value == null ? "" : value;
  }

  private void afterFaults(Exchange exchange, RequestInfo info, List<Fault> struck) {
    Duration pause = Duration.ZERO;
    for (Fault fault : struck) {
      if (fault.action() instanceof Action.Delay delay) {
        pause = pause.plus(delay.pause());
      }
    }
    if (pause.isZero()) {
      serve(exchange, info, struck);
    } else {
      vertx.setTimer(Math.max(1, pause.toMillis()), fired -> serve(exchange, info, struck));
    }
  }

  private void serve(Exchange exchange, RequestInfo info, List<Fault> struck) {
    OptionalLong stale = OptionalLong.empty();
    for (Fault fault : struck) {
      if (fault.action() instanceof Action.Answer answer) {
        exchange.fail(Faults.answer(answer, exchange.request(), exchange.sender().name()));
        return;
      } else if (fault.action() instanceof Action.Cut) {
        exchange.closeConnection();
        return;
      } else if (fault.action() instanceof Action.Reset) {
        exchange.reset();
        return;
      } else if (fault.action() instanceof Action.Hang) {
        return;
      } else if (fault.action() instanceof Action.LoseAnswer) {
        exchange.loseAnswer();
      } else if (fault.action() instanceof Action.StaleList) {
        stale = OptionalLong.of(fault.revision());
      }
    }
    dispatch(exchange, info, stale);
  }

  private void dispatch(Exchange exchange, RequestInfo info, OptionalLong stale) {
    try {
      Optional<ResourceType> review = Reviews.find(info.apiVersion(), info.resource());
      if (review.isPresent()) {
        reviews.answer(exchange, review.get());
      } else if (connections.serves(info)) {
        connections.serve(exchange, info);
      } else if (MetricsHandler.serves(info)) {
        metrics.serve(exchange);
      } else if (info.isResource() && resources.serves(info.apiVersion())) {
        Optional<Resource> resource = resources.find(info.apiVersion(), info.resource());
        handler.serve(exchange, resource.orElseThrow(() -> unknown(info)), stale);
      } else if (info.isResource() && LeftOut.resource(info).isPresent()) {
        throw unknown(info);
      } else {
        serveOther(exchange);
      }
    } catch (ApiException refused) {
      exchange.fail(refused);
    } catch (RuntimeException bug) {
      LOG.atError()
          .addKeyValue("request", exchange.request())
          .setCause(bug)
          .log("a request could not be served");
      exchange.fail(
          new ApiException(500, "InternalError", "Internal error occurred: " + bug.getMessage()));
    }
  }

  private static ApiException unknown(RequestInfo info) {
    return LeftOut.resource(info).orElseGet(ApiException::noSuchResource);
  }

  private void serveOther(Exchange exchange) {
    String path = exchange.request().path();
    if (path.equals("/healthz") || path.equals("/livez") || path.equals("/readyz")) {
      exchange.text(200, "ok");
      return;
    }
    String trimmed =
        path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    if (Discovery.wantsAggregated(trimmed, exchange.request().accept())) {
      Buffer document = Buffer.buffer(Json.bytes(discovery.aggregated(trimmed)));
      exchange.answer(200, Discovery.AGGREGATED, document);
      return;
    }
    if (trimmed.equals(OpenApiV2.PATH) && OpenApiV2.wantsProtobuf(exchange.request().accept())) {
      exchange.answer(200, OpenApiV2.PROTOBUF, Buffer.buffer(OpenApiV2.protobuf()));
      return;
    }
    discovery
        .at(trimmed, exchange.address())
        .or(() -> described(trimmed))
        .ifPresentOrElse(
            document -> exchange.json(200, document),
            () ->
                LeftOut.group(trimmed)
                    .ifPresentOrElse(
                        exchange::fail, () -> exchange.text(404, "404 page not found\n")));
  }

  private Optional<ObjectNode> described(String path) {
    return path.equals(OpenApiV2.PATH)
        ? Optional.of(OpenApiV2.json())
        : Optional.of(openApi.at(path)).filter(document -> !document.isEmpty());
  }
}
