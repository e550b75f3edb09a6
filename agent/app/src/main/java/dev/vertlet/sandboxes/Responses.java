package dev.vertlet.sandboxes;

import dev.vertlet.auth.AccessDeniedException;
import dev.vertlet.kube.KubeException;
import dev.vertlet.sandbox.SandboxException;
import dev.vertlet.server.RetryAfter;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.Locale;

/** Responses of the API. A failure becomes a status and a document that names the reason. */
final class Responses {
  static final String JSON = "application/json";

  private Responses() {}

  static void refuse(HttpServerRequest request, PageCheck.Refusal refusal) {
    closeUnlessRead(request);
    send(
        request.response(), refusal.status(), Documents.error(refusal.reason(), refusal.message()));
  }

  /** Closes an HTTP/1.1 connection whose rejected body is not read. */
  static void closeUnlessRead(HttpServerRequest request) {
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

  /** Failure of a process that is not the leader. */
  static final class StandingBy extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient LeaderVerticle.Known leader;

    StandingBy(LeaderVerticle.Known leader) {
      super("another process acts for the pools", null, false, false);
      this.leader = leader;
    }
  }

  static void refuse(RoutingContext c, Throwable failure) {
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

  private static int status(SandboxException.Reason reason) {
    return switch (reason) {
      case NO_CONTAINERS, CONTAINER_NOT_FOUND, IMAGE_REQUIRED, INVALID_OPTION -> 400;
      case NOT_FOUND -> 404;
      case UNEXPECTED_PHASE, NOT_RUNNING, UNREADABLE_STATE -> 409;
      case QUEUE_FULL -> 429;
      case NO_IDLE_PODS -> 503;
    };
  }

  /** Spells {@code NO_IDLE_PODS} as {@code NoIdlePods} in the API. */
  private static String name(SandboxException.Reason reason) {
    StringBuilder name = new StringBuilder();
    for (String word : reason.name().split("_", -1)) {
      name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return name.toString();
  }

  static void text(RoutingContext c, int status, String body) {
    c.response()
        .setStatusCode(status)
        .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
        .end(body);
  }

  static void send(RoutingContext c, int status, JsonObject body) {
    send(c.response(), status, body);
  }

  static void send(HttpServerResponse response, int status, JsonObject body) {
    if (!response.ended() && !response.closed()) {
      response.setStatusCode(status).putHeader(HttpHeaders.CONTENT_TYPE, JSON).end(body.encode());
    }
  }
}
