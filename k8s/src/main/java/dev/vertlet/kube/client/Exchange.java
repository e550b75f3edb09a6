package dev.vertlet.kube.client;

import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpClientRequest;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One request and its state, owned by the client's context from submission to the answer. */
final class Exchange {
  final KubeRequest request;
  final long submittedNanos;
  private final Promise<KubeResponse> promise;
  private final @Nullable ClientScope scope;

  /** Edition of the credentials of the last attempt. */
  int sentWith;

  /** True once a 401 caused a second attempt: there is no third. */
  boolean retried;

  long startedNanos;
  long timer = -1;
  boolean answered;
  @Nullable HttpClientRequest http;

  /** Receives the outcome; null while the request is not in flight. */
  @Nullable Consumer<Calls.Outcome> settled;

  private boolean done;

  Exchange(
      KubeRequest request,
      Promise<KubeResponse> promise,
      @Nullable ClientScope scope,
      long submittedNanos) {
    this.request = request;
    this.promise = promise;
    this.scope = scope;
    this.submittedNanos = submittedNanos;
  }

  /** Returns false when the scope is already closed. */
  boolean enterScope() {
    return scope == null || scope.enter(this);
  }

  void succeed(KubeResponse response) {
    if (finish()) {
      promise.complete(response);
    }
  }

  void fail(KubeException failure) {
    if (finish()) {
      promise.fail(failure);
    }
  }

  /** Whether the caller has the answer: the request must not be sent any more. */
  boolean done() {
    return done;
  }

  private boolean finish() {
    boolean first = !done;
    done = true;
    if (scope != null) {
      scope.leave(this);
    }
    return first;
  }

  /** Prepares a second attempt. */
  void again() {
    retried = true;
    answered = false;
    http = null;
  }
}
