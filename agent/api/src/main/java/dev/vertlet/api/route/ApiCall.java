package dev.vertlet.api.route;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/**
 * One admitted request.
 *
 * @param request paused
 * @param node node of the request; empty when the request names a pod or the agent as a whole
 * @param gone completes when the client has left, possibly before admission; with HTTP/1.1 the
 *     server may notice it only after the request is resumed
 */
public record ApiCall(HttpServerRequest request, Route route, String node, Future<Void> gone) {
  public static final String TEXT = "text/plain; charset=utf-8";
  static final String JSON = "application/json";

  /** Sends a complete response. */
  Future<Void> answer(int status, String type, Buffer body) {
    return answer(request, status, type, body);
  }

  Future<Void> text(String body) {
    return answer(200, TEXT, Buffer.buffer(body));
  }

  Future<Void> json(Buffer body) {
    return answer(200, JSON, body);
  }

  /**
   * Sends a complete response. Completes in any case: this server does not depend on whether the
   * client received it.
   */
  public static Future<Void> answer(
      HttpServerRequest request, int status, String type, Buffer body) {
    HttpServerResponse response = request.response();
    if (response.closed() || response.ended()) {
      return Future.succeededFuture();
    }
    if (response.headWritten()) {
      // too late for a status: a reset tells the client that the response is incomplete
      return response.reset().otherwiseEmpty();
    }
    response
        .setStatusCode(status)
        .putHeader(HttpHeaders.CONTENT_TYPE, type)
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
        .putHeader("X-Content-Type-Options", "nosniff");
    Future<Void> sent =
        request.method() == HttpMethod.HEAD
            ? response.putHeader(HttpHeaders.CONTENT_LENGTH, "" + body.length()).end()
            : response.end(body);
    request.resume();
    return sent.otherwiseEmpty();
  }
}
