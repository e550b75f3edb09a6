package dev.vertlet.server;

import dev.vertlet.auth.AccessControl;
import dev.vertlet.auth.AccessDeniedException;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Admits users who may {@code get nodes/metrics} of one node, the permission for metrics on the
 * kubelet ports. Confined to one context.
 */
public final class TokenReadPolicy implements ReadPolicy {
  private static final List<String> SUBRESOURCES = List.of("metrics");

  private final String node;
  private @Nullable AccessControl access;

  /**
   * @param node node whose permission covers the agent's data about all its nodes
   */
  public TokenReadPolicy(String node) {
    this.node = node;
  }

  /** Sets the access control; all requests are rejected before. */
  public void ask(AccessControl control) {
    access = control;
  }

  @Override
  public Future<Void> admit(HttpServerRequest request) {
    AccessControl asked = access;
    return asked == null
        ? Future.failedFuture(
            AccessDeniedException.unavailable("the agent has no API server to ask yet\n"))
        : asked.admit(request, node, SUBRESOURCES).mapEmpty();
  }
}
