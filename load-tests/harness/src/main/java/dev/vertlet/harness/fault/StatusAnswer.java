package dev.vertlet.harness.fault;

import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Error response of an API server: a {@code metav1.Status}. */
final class StatusAnswer {
  /** Reasons by code, from {@code metav1.StatusReason}. */
  private static final Map<Integer, String> REASONS =
      Map.ofEntries(
          Map.entry(400, "BadRequest"),
          Map.entry(401, "Unauthorized"),
          Map.entry(403, "Forbidden"),
          Map.entry(404, "NotFound"),
          Map.entry(405, "MethodNotAllowed"),
          Map.entry(406, "NotAcceptable"),
          Map.entry(409, "Conflict"),
          Map.entry(410, "Expired"),
          Map.entry(413, "RequestEntityTooLarge"),
          Map.entry(415, "UnsupportedMediaType"),
          Map.entry(422, "Invalid"),
          Map.entry(429, "TooManyRequests"),
          Map.entry(500, "InternalError"),
          Map.entry(503, "ServiceUnavailable"),
          Map.entry(504, "Timeout"));

  private StatusAnswer() {}

  /** Builds the body of an error response. */
  static JsonObject body(ApiRequest request, int code, @Nullable Duration retryAfter) {
    String reason =
        code == 409 && request.verb().equals("create") ? "AlreadyExists" : REASONS.get(code);
    JsonObject details =
        new JsonObject().put("name", request.name()).put("kind", request.resource());
    if (retryAfter != null) {
      details.put("retryAfterSeconds", seconds(retryAfter));
    }
    JsonObject body =
        new JsonObject()
            .put("kind", "Status")
            .put("apiVersion", "v1")
            .put("metadata", new JsonObject())
            .put("status", "Failure")
            .put(
                "message",
                "injected fault: %s %s".formatted(request.verb(), request.qualifiedResource()));
    if (reason != null) {
      body.put("reason", reason);
    }
    return body.put("details", details).put("code", code);
  }

  /** Sends the error response. */
  static void send(
      HttpServerResponse response, ApiRequest request, int code, @Nullable Duration retryAfter) {
    response.setStatusCode(code).putHeader("Content-Type", "application/json");
    if (retryAfter != null) {
      response.putHeader("Retry-After", Long.toString(seconds(retryAfter)));
    }
    response.end(body(request, code, retryAfter).toBuffer()).onFailure(Exchange::goneAlready);
  }

  private static long seconds(Duration duration) {
    return duration.plusSeconds(1).minusNanos(1).toSeconds();
  }
}
