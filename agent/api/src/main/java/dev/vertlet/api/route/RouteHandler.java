package dev.vertlet.api.route;

import io.vertx.core.Future;

/** Serves one kind of request. */
@FunctionalInterface
public interface RouteHandler {
  /**
   * Serves a request.
   *
   * @param call admitted request, paused
   * @return completes when the request has ended; the caller answers a failure, see {@link
   *     HttpFailure#of}
   */
  Future<Void> handle(ApiCall call);
}
