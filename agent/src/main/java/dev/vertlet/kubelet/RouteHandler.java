package dev.vertlet.kubelet;

import io.vertx.core.Future;

/** Serves one kind of request. */
@FunctionalInterface
interface RouteHandler {
  /**
   * @param call let in; its request is paused
   * @return completes when the request is over; a failure is answered by whoever calls, see {@link
   *     HttpFailure#of}
   */
  Future<Void> handle(Call call);
}
