package dev.vertlet.auth;

import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;

/** Authenticates and authorizes requests. */
public interface AccessControl {
  /**
   * Authenticates the sender of a request and authorizes the request for the node. The credentials
   * are removed from the request's headers. The request must be paused or its body already read, as
   * the result may take seconds.
   *
   * @param node name of the node
   * @param subresources node subresources such as {@code pods} and {@code proxy}, checked in this
   *     order; one allowed subresource suffices
   * @return completes on the caller's context; fails only with {@link AccessDeniedException}
   */
  Future<User> admit(HttpServerRequest request, String node, List<String> subresources);
}
