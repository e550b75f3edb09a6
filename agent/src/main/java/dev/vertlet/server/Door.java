package dev.vertlet.server;

import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;

/** Decides who may see what the agent knows. Called on the context of its server. */
@FunctionalInterface
public interface Door {
  /** Lets in whoever reaches the port. */
  Door OPEN = request -> Future.succeededFuture();

  /**
   * Completes for one who may; fails with {@link dev.vertlet.auth.AccessDeniedException} and
   * nothing else.
   *
   * @param request whose body is of no interest; its credentials are taken out of it
   */
  Future<Void> admit(HttpServerRequest request);
}
