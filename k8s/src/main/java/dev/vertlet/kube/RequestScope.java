package dev.vertlet.kube;

import io.vertx.core.Future;

/**
 * Requests that are valid only together, for example those that one term of a node's Lease permits.
 * Closing a scope gives its requests up: a waiting request never leaves its lane, a request in
 * flight is reset, and their Futures fail with {@link KubeException.Kind#CANCELLED}.
 *
 * <p>All methods may be called from any context; requests sent before {@link #close} and requests
 * sent after it on the same context are reliably distinguished. Not promised: that a request in
 * flight had no effect.
 */
public interface RequestScope {
  /**
   * Sends a request as {@link dev.vertlet.kube.client.KubeClient#send} does, within this scope, and
   * delayed by the limit of its sender.
   */
  Future<KubeResponse> send(KubeRequest request);

  /** Whether the sender has a limit: its requests may wait, and take no slots from others. */
  default boolean limited() {
    return false;
  }

  /** Gives up all requests of this scope. */
  void close();
}
