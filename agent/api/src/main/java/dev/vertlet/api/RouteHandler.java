package dev.vertlet.api;

import io.vertx.core.Future;

/** Serves one kind of request. */
@FunctionalInterface
interface RouteHandler {
  /**
   * Serves a request.
   *
   * @param call admitted request, paused
   * @return completes when the request has ended; the caller answers a failure, see {@link
   *     HttpFailure#of}
   */
  Future<Void> handle(ApiCall call);
}
