package dev.vertlet.auth;

import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;

/** Decides whether a request is served. */
public interface AccessControl {
  /**
   * Finds out who sent a request and whether he may do this with the node. The credentials that
   * admitted it are taken out of its headers. The request must be paused, or its body already read:
   * the answer may take seconds.
   *
   * @param node the node it is for
   * @param subresources of nodes, such as {@code pods} and {@code proxy}, asked for in this order;
   *     one that is allowed suffices
   * @return completes on the caller's context; fails with {@link AccessDeniedException} and nothing
   *     else
   */
  Future<User> admit(HttpServerRequest request, String node, List<String> subresources);
}
