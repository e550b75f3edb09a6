package dev.vertlet.server;

import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;

/** Decides who may read the agent's state. Called on the context of its server. */
@FunctionalInterface
public interface ReadPolicy {
  /** Admits every request. */
  ReadPolicy OPEN = request -> Future.succeededFuture();

  /**
   * Admits or rejects a request; fails only with {@link dev.vertlet.auth.AccessDeniedException}.
   *
   * @param request request whose body is ignored; its credentials are removed
   */
  Future<Void> admit(HttpServerRequest request);
}
