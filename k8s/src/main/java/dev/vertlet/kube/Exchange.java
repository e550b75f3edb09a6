package dev.vertlet.kube;

import io.vertx.core.Promise;
import io.vertx.core.http.HttpClientRequest;
import org.jspecify.annotations.Nullable;

/** One request on its way: owned by the client's context from submission to the answer. */
final class Exchange {
  final KubeRequest request;
  final Promise<KubeResponse> promise;
  final long submittedNanos;

  /** Authorization header of the last attempt. */
  String sentWith = "";

  /** True once a 401 made it go again: there is no third attempt. */
  boolean retried;

  long startedNanos;
  long timer = -1;
  boolean answered;
  @Nullable HttpClientRequest http;

  Exchange(KubeRequest request, Promise<KubeResponse> promise, long submittedNanos) {
    this.request = request;
    this.promise = promise;
    this.submittedNanos = submittedNanos;
  }

  /** Ready to be sent once more. */
  void again() {
    retried = true;
    answered = false;
    http = null;
  }
}
