package dev.vertlet.provider.node;

import dev.vertlet.model.node.NodeConditionView;
import dev.vertlet.model.node.NodeView;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Consumer;

/** Health and properties of the nodes that a back end serves. */
public interface NodeProvider {
  /** Always healthy; changes no properties. */
  NodeProvider ALWAYS_HEALTHY =
      new NodeProvider() {
        @Override
        public Future<Void> ping(String node) {
          return Future.succeededFuture();
        }

        @Override
        public NodeHealth health(String node) {
          return NodeHealth.HEALTHY;
        }

        @Override
        public void onChange(Consumer<String> listener) {}
      };

  /**
   * Checks whether the back end of a node is alive. A failure, or no answer within the ping
   * timeout, stops the renewal of the node's Lease, so that the cluster sees the node as lost.
   */
  Future<Void> ping(String node);

  /** Health for the node's Ready condition. Returns immediately, from known state. */
  NodeHealth health(String node);

  /**
   * Calls {@code listener} with the node's name whenever the result of {@link #health} or {@link
   * #configure} changes.
   */
  void onChange(Consumer<String> listener);

  /**
   * Receives the node's object as the API server holds it now, including changes by other clients.
   * Called after every change, on the context of the node's shard.
   */
  default void observed(NodeView node) {}

  /**
   * This agent no longer serves the node: no further calls follow for it, unless {@link #configure}
   * is called for a node of the same name. Called only for nodes that the agent did not create
   * itself, on the context of the node's shard.
   */
  default void forget(String node) {}

  /**
   * Whether another part of the agent, or another program, writes the status of the nodes. vertlet
   * then registers a node with its capacity, addresses and system info but without conditions, and
   * never writes its status again; it still renews the node's Lease.
   *
   * @return must not change over time
   */
  default boolean leavesStatus() {
    return false;
  }

  /**
   * Completes the node's description: capacity, addresses, labels, taints. Called before
   * registration, and again whenever {@link #onChange}'s listener is called for the node;
   * differences are written immediately. Pods that were accepted earlier stay, even if the node's
   * capacity no longer covers them. Returns immediately, from known state.
   *
   * @param spec as configured; a different one when the node's configuration has changed
   * @return must have the same name
   */
  default NodeSpec configure(NodeSpec spec) {
    return spec;
  }

  /**
   * Health of one node.
   *
   * @param ready whether the node can run pods
   * @param message why the node is not ready; shown in the Ready condition
   * @param conditions further conditions that the back end owns; those of type MemoryPressure,
   *     DiskPressure, PIDPressure or NetworkUnavailable replace the default healthy ones. The API
   *     server keeps a condition that is left out later: report it as False instead
   */
  record NodeHealth(boolean ready, String message, List<NodeConditionView> conditions) {
    public static final NodeHealth HEALTHY = new NodeHealth(true, "", List.of());

    public NodeHealth {
      conditions = List.copyOf(conditions);
    }
  }
}
