package dev.vertlet.apiserver.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.fault.ApiRequest;
import dev.vertlet.apiserver.http.Form.Encoding;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One request and the way to answer it. */
final class Exchange {
  private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

  /** HTTP/2 INTERNAL_ERROR: the client cannot tell whether the request was served. */
  private static final long INTERNAL_ERROR = 2;

  private final HttpServerRequest http;
  private final ApiRequest request;
  private final User sender;
  private boolean answerLost;

  Exchange(HttpServerRequest http, ApiRequest request, User sender) {
    this.http = http;
    this.request = request;
    this.sender = sender;
  }

  User sender() {
    return sender;
  }

  ApiRequest request() {
    return request;
  }

  /** The request as it came; its body has been read. */
  HttpServerRequest http() {
    return http;
  }

  HttpServerResponse response() {
    return http.response();
  }

  /** Host and port as the client addressed them. */
  String address() {
    return String.valueOf(http.authority());
  }

  /** From now on the answer closes the connection instead. */
  void loseAnswer() {
    answerLost = true;
  }

  void json(int code, ObjectNode body) {
    answer(code, "application/json", Buffer.buffer(Json.bytes(body)));
  }

  /** A {@code metav1.Status} in the encoding the client reads. */
  void status(int code, ObjectNode status) {
    Encoding encoding = Form.ofStatus(request.accept());
    if (encoding == Encoding.PROTOBUF) {
      answer(code, encoding.mediaType(), ProtobufRepresentation.status(status));
    } else {
      json(code, status);
    }
  }

  /** Adds a warning that clients show to their users. */
  void warn(String text) {
    String quoted = text.replace("\\", "\\\\").replace("\"", "\\\"");
    response().headers().add("warning", "299 - \"" + quoted + "\"");
  }

  void text(int code, String body) {
    answer(code, "text/plain; charset=utf-8", Buffer.buffer(body));
  }

  void fail(ApiException failure) {
    failure
        .retryAfterSeconds()
        .ifPresent(seconds -> response().putHeader("retry-after", Integer.toString(seconds)));
    status(failure.code(), failure.toStatus());
  }

  /** Answers with a refusal, as long as there is somebody to answer. */
  void failBecauseOf(Throwable cause) {
    if (cause instanceof ApiException refused) {
      fail(refused);
    } else {
      LOG.debug("the client left before it was connected", cause);
    }
  }

  void answer(int code, String contentType, Buffer body) {
    if (answerLost) {
      closeConnection();
    } else if (!response().closed()) {
      response()
          .setStatusCode(code)
          .putHeader("content-type", contentType)
          .putHeader("cache-control", "no-cache, private")
          .end(body)
          .onFailure(gone -> LOG.debug("the client disconnected before its answer", gone));
    }
  }

  void closeConnection() {
    http.connection().close().onFailure(e -> LOG.debug("the connection was closed already", e));
  }

  void reset() {
    response().reset(INTERNAL_ERROR).onFailure(e -> LOG.debug("the stream was closed already", e));
  }
}
