package dev.vertlet.nodes;

import dev.vertlet.kube.KubeException;
import io.vertx.core.Future;

/**
 * Handles failed requests about the Node objects of this agent, as virtual-kubelet's {@code
 * WithNodeStatusUpdateErrorHandler}.
 */
@FunctionalInterface
public interface NodeErrorHandler {
  /** Handles nothing. */
  NodeErrorHandler NONE = (node, failure) -> Future.failedFuture(failure);

  /**
   * Handles a failed read, registration or write of a Node object. Called on an event loop, which
   * it must not block. Not called for a missing object, which the agent creates, nor for requests
   * that are given up because the node's lease is lost. The node's Lease is renewed meanwhile.
   *
   * @param node name of the node
   * @param failure of the API server, or of the connection to it
   * @return success if the cause is removed: the agent tries again at once, and if that fails, too,
   *     with back-off and without another call for that failure. A failure, or no answer in 30 s:
   *     the agent tries again with back-off, 100 ms to 7 s, and after 30 s where the server refuses
   *     the request
   */
  Future<Void> handle(String node, KubeException failure);
}
