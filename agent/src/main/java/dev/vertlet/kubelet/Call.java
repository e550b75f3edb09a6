package dev.vertlet.kubelet;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/**
 * One request that was let in.
 *
 * @param request paused
 * @param node that it is for; empty where a pod decides, or the agent as a whole is meant
 * @param gone completes when the client has left, maybe before it was let in; over HTTP/1.1 that
 *     may be noticed only once the request is resumed
 */
record Call(HttpServerRequest request, Route route, String node, Future<Void> gone) {
  static final String TEXT = "text/plain; charset=utf-8";
  static final String JSON = "application/json";

  /** A document as a whole. */
  Future<Void> answer(int status, String type, Buffer body) {
    return answer(request, status, type, body);
  }

  Future<Void> text(String body) {
    return answer(200, TEXT, Buffer.buffer(body));
  }

  Future<Void> json(Buffer body) {
    return answer(200, JSON, body);
  }

  /** Completes in any case: whether the client has waited for its answer changes nothing here. */
  static Future<Void> answer(HttpServerRequest request, int status, String type, Buffer body) {
    HttpServerResponse response = request.response();
    if (response.closed() || response.ended()) {
      return Future.succeededFuture();
    }
    if (response.headWritten()) {
      // it is too late for a status: a broken end is the only way to say that this is not all
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
