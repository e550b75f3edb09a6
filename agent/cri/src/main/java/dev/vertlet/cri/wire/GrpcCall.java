package dev.vertlet.cri.wire;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.http.StreamResetException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One call. Confined to the event loop on which it was begun. */
final class GrpcCall {
  /** HTTP/2's error code for what is no longer wanted. */
  private static final long CANCEL = 8;

  private static final long NO_TIMER = -1;

  private final Vertx vertx;
  private final Path socket;
  private final Duration deadline;
  private final boolean unary;
  private final Handler<Buffer> messages;
  private final Promise<Void> end = Promise.promise();
  private final GrpcFrames frames = new GrpcFrames(this::received);
  private @Nullable HttpClientRequest request;
  private @Nullable Buffer answer;
  private long timer = NO_TIMER;

  /**
   * @param unary whether at most one answer may come
   * @param messages called with each answer
   */
  GrpcCall(Vertx vertx, Path socket, Duration deadline, boolean unary, Handler<Buffer> messages) {
    this.vertx = vertx;
    this.socket = socket;
    this.deadline = deadline;
    this.unary = unary;
    this.messages = messages;
  }

  /** The last answer; null if there was none. */
  @Nullable Buffer answer() {
    return answer;
  }

  Future<Void> begin(HttpClient client, RequestOptions options, Buffer message) {
    if (!deadline.isZero()) {
      timer =
          vertx.setTimer(
              deadline.toMillis(),
              id -> {
                timer = NO_TIMER;
                fail(GrpcStatus.DEADLINE_EXCEEDED, "context deadline exceeded");
              });
    }
    client
        .request(options)
        .onSuccess(made -> send(made, message))
        .onFailure(
            failure ->
                fail(
                    GrpcStatus.UNAVAILABLE,
                    "connection error: desc = \"error while dialing: dial unix "
                        + socket
                        + ": "
                        + failure.getMessage()
                        + "\""));
    return end.future();
  }

  /** Ends the call if it goes on. */
  void cancel() {
    fail(GrpcStatus.CANCELLED, "context canceled");
  }

  private void send(HttpClientRequest made, Buffer message) {
    request = made;
    if (end.future().isComplete()) {
      made.reset(CANCEL); // too late
      return;
    }
    made.exceptionHandler(this::broken);
    made.response().onSuccess(this::take).onFailure(this::broken);
    made.end(GrpcFrames.frame(message)).onFailure(this::broken);
  }

  private void broken(Throwable failure) {
    String message = failure.getMessage();
    if (failure instanceof StreamResetException reset) {
      message = "stream terminated by RST_STREAM with error code " + reset.getCode();
    }
    // an exception of a channel that was closed meanwhile has none
    fail(GrpcStatus.UNAVAILABLE, message == null ? "transport is closing" : message);
  }

  private void take(HttpClientResponse response) {
    response.exceptionHandler(this::broken);
    response.handler(
        data -> {
          try {
            if (!end.future().isComplete()) {
              frames.handle(data);
            }
          } catch (GrpcException refused) {
            fail(refused);
          }
        });
    response.endHandler(ended -> finish(response));
  }

  private void received(Buffer message) {
    if (unary && answer != null) {
      throw new GrpcException(GrpcStatus.INTERNAL, "the runtime sent a second answer");
    }
    if (unary) {
      answer = message.copy();
    } else {
      messages.handle(message);
    }
  }

  private void finish(HttpClientResponse response) {
    String status = response.trailers().get("grpc-status");
    String message = response.trailers().get("grpc-message");
    if (status == null) { // an answer without a body has them in its headers
      status = response.getHeader("grpc-status");
      message = response.getHeader("grpc-message");
    }
    if (status == null) {
      fail(
          response.statusCode() == 200 ? GrpcStatus.INTERNAL : GrpcStatus.UNAVAILABLE,
          "the runtime sent no status; HTTP status " + response.statusCode());
      return;
    }
    GrpcStatus code = GrpcStatus.of(status);
    if (code != GrpcStatus.OK) {
      fail(code, decoded(message == null ? "" : message));
    } else if (frames.incomplete()) {
      fail(GrpcStatus.INTERNAL, "the runtime's answer ends within a message");
    } else {
      stopTimer();
      end.tryComplete();
    }
  }

  /** Undoes the percent-encoding of a message. */
  static String decoded(String message) {
    try {
      return URLDecoder.decode(message.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return message; // a percent sign that a server has not encoded
    }
  }

  private void fail(GrpcStatus status, String description) {
    fail(new GrpcException(status, description));
  }

  private void fail(GrpcException failure) {
    stopTimer();
    HttpClientRequest sent = request;
    if (end.tryFail(failure) && sent != null) {
      sent.reset(CANCEL);
    }
  }

  private void stopTimer() {
    if (timer != NO_TIMER) {
      vertx.cancelTimer(timer);
      timer = NO_TIMER;
    }
  }
}
