package dev.vertlet.kube;

import io.vertx.core.Promise;
import io.vertx.core.http.HttpClientRequest;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One request on its way: owned by the client's context from submission to the answer. */
final class Exchange {
  final KubeRequest request;
  final long submittedNanos;
  private final Promise<KubeResponse> promise;
  private final @Nullable RequestScope scope;

  /** Edition of the credentials of the last attempt. */
  int sentWith;

  /** True once a 401 made it go again: there is no third attempt. */
  boolean retried;

  long startedNanos;
  long timer = -1;
  boolean answered;
  @Nullable HttpClientRequest http;

  /** Takes the outcome; null while nothing is in flight. */
  @Nullable Consumer<Calls.Outcome> settled;

  private boolean done;

  Exchange(
      KubeRequest request,
      Promise<KubeResponse> promise,
      @Nullable RequestScope scope,
      long submittedNanos) {
    this.request = request;
    this.promise = promise;
    this.scope = scope;
    this.submittedNanos = submittedNanos;
  }

  /** False when its scope was closed before. */
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

  /** Whether the caller has the answer: nothing more must be sent. */
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

  /** Ready to be sent once more. */
  void again() {
    retried = true;
    answered = false;
    http = null;
  }
}
