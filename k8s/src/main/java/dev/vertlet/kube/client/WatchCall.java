package dev.vertlet.kube.client;

import dev.vertlet.kube.Failures;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.Verb;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.RequestOptions;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One stream, usually a watch: connects, authenticates and passes bytes on as they arrive. Confined
 * to the client's context. Calls nothing after {@link Receiver#ended} or {@link Receiver#failed}.
 */
final class WatchCall {
  private static final Logger LOG = LoggerFactory.getLogger(WatchCall.class);

  private final Calls calls;
  private final Asked asked;
  private final Receiver receiver;
  private final Consumer<WatchCall> done;
  private final Links.WatchLink link;
  private @Nullable HttpClientRequest http;
  private long timer = -1;
  private boolean retried;
  private boolean streaming;
  private boolean over;

  /**
   * What the stream is asked for.
   *
   * @param query already encoded
   * @param accept value of the Accept header
   */
  record Asked(Verb verb, KubePath path, String query, String accept) {}

  /** Receives the bytes of the stream, on the client's context. */
  interface Receiver {
    /**
     * The server accepted the request.
     *
     * @param contentType of the following bytes
     */
    void opened(String contentType);

    void received(Buffer bytes);

    /** The server ended the stream regularly. */
    void ended();

    void failed(KubeException failure);
  }

  WatchCall(Calls calls, Links links, Asked asked, Receiver receiver, Consumer<WatchCall> done) {
    this.calls = calls;
    this.asked = asked;
    this.receiver = receiver;
    this.done = done;
    this.link = links.acquireForWatch();
  }

  void open() {
    long startedNanos = System.nanoTime();
    RequestOptions options = calls.options(asked.verb(), asked.path(), asked.query());
    calls.headers(options, asked.accept(), calls.authorization());
    int sentWith = calls.edition();
    timer =
        calls
            .vertx()
            .setTimer(
                calls.clientOptions().timeouts().request().toMillis(),
                id -> {
                  KubeException late =
                      Failures.timeout(
                          asked.verb(), asked.path(), calls.clientOptions().timeouts().request());
                  calls.health().silent(late, startedNanos);
                  fail(late);
                });
    link.open(options)
        .onFailure(e -> calls.unreachable(Failures.transport(asked.verb(), asked.path(), e)))
        .compose(this::send)
        .onSuccess(response -> answered(response, sentWith))
        .onFailure(this::unanswered);
  }

  /** Ends the stream without a further call of the receiver. */
  void close() {
    if (finish()) {
      reset();
    }
  }

  /** Ends the stream with a failure, which the receiver gets. */
  void fail(KubeException failure) {
    if (!finish()) {
      return;
    }
    reset();
    if (!streaming) {
      calls.metrics().of(asked.verb(), asked.path().resource()).opened(failure.status());
    }
    receiver.failed(failure);
  }

  private Future<HttpClientResponse> send(HttpClientRequest request) {
    http = request;
    request.exceptionHandler(e -> LOG.trace("{}", e.toString())); // the Future below fails as well
    if (over) {
      return request
          .reset(Calls.CANCEL)
          .transform(gone -> Future.failedFuture("the watch was given up before it was sent"));
    }
    return request.send();
  }

  private void answered(HttpClientResponse response, int sentWith) {
    calls.health().answered(response.statusCode(), response.statusCode() == 200);
    if (over) {
      return;
    }
    if (response.statusCode() == 200) {
      stream(response);
      return;
    }
    response
        .body()
        .onSuccess(
            body ->
                refused(
                    Failures.answer(
                        asked.verb(),
                        asked.path(),
                        response.statusCode(),
                        response.getHeader(HttpHeaders.RETRY_AFTER),
                        body),
                    sentWith))
        .onFailure(e -> fail(Failures.transport(asked.verb(), asked.path(), e)));
  }

  private void unanswered(Throwable e) {
    if (!over) {
      calls.health().unanswered();
      fail(Failures.transport(asked.verb(), asked.path(), e));
    }
  }

  private void refused(KubeException failure, int sentWith) {
    if (over) {
      return;
    }
    if (failure.kind() != KubeException.Kind.UNAUTHORIZED) {
      fail(failure);
      return;
    }
    if (retried) {
      fail(calls.stillUnauthorized(failure, null));
      return;
    }
    retried = true;
    calls.vertx().cancelTimer(timer);
    calls
        .refresh(sentWith, calls.clientOptions().timeouts().request())
        .onComplete(
            fresh -> {
              if (over) {
                return;
              }
              if (fresh.succeeded() && fresh.result()) {
                calls.metrics().retries().increment();
                open();
              } else {
                fail(calls.stillUnauthorized(failure, fresh.cause()));
              }
            });
  }

  private void stream(HttpClientResponse response) {
    calls.vertx().cancelTimer(timer);
    KubeMetrics.OfRequest meters = calls.metrics().of(asked.verb(), asked.path().resource());
    streaming = true;
    meters.opened(200);
    String type = response.getHeader(HttpHeaders.CONTENT_TYPE);
    receiver.opened(type == null ? "" : type);
    response.exceptionHandler(e -> fail(Failures.transport(asked.verb(), asked.path(), e)));
    response.endHandler(
        v -> {
          if (finish()) {
            receiver.ended();
          }
        });
    response.handler(
        bytes -> {
          if (!over) {
            meters.received(bytes.length());
            receiver.received(bytes);
          }
        });
  }

  private boolean finish() {
    if (over) {
      return false;
    }
    over = true;
    calls.vertx().cancelTimer(timer);
    link.released();
    done.accept(this);
    return true;
  }

  private void reset() {
    HttpClientRequest request = http;
    if (request != null) {
      request
          .reset(Calls.CANCEL)
          .onFailure(e -> LOG.trace("Nothing left to reset: {}", e.toString()));
    }
  }
}
