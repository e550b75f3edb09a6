package dev.vertlet.provider;

import dev.vertlet.model.NodeConditionView;
import dev.vertlet.model.NodeView;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Consumer;

/** What a back end says of the nodes it backs. */
public interface NodeProvider {
  /** A back end without opinions. */
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
   * Is the back end of this node alive? A failure, or no answer within the ping time-out, stops the
   * renewal of the node's lease, so that the cluster sees the node go.
   */
  Future<Void> ping(String node);

  /** Health for the node's Ready condition. Answers at once, from what is known. */
  NodeHealth health(String node);

  /**
   * Calls {@code listener} with the node's name whenever {@link #health} or {@link #configure}
   * would answer differently.
   */
  void onChange(Consumer<String> listener);

  /**
   * The node's object as the API server holds it now, with what others put on it. Called whenever
   * it changed, on the context of the node's shard.
   */
  default void observed(NodeView node) {}

  /**
   * The node is this agent's no longer: nothing is asked about it any more, unless {@link
   * #configure} is called for one of its name. Nodes that an agent makes are never forgotten. On
   * the context of the node's shard.
   */
  default void forget(String node) {}

  /**
   * Completes the node's description: capacity, addresses, labels, taints. Called before
   * registration, and again whenever the listener is told of the node: what became different is
   * written at once. Pods that were accepted before stay, however little is left for them. Answers
   * at once, from what is known.
   *
   * @param spec as configured; another one when the node's configuration has changed
   * @return with the same name
   */
  default NodeSpec configure(NodeSpec spec) {
    return spec;
  }

  /**
   * @param ready whether the node can run pods
   * @param message why not, as the Ready condition shows it
   * @param conditions further conditions the back end owns; those named MemoryPressure,
   *     DiskPressure, PIDPressure or NetworkUnavailable replace the healthy ones
   */
  record NodeHealth(boolean ready, String message, List<NodeConditionView> conditions) {
    public static final NodeHealth HEALTHY = new NodeHealth(true, "", List.of());

    public NodeHealth {
      conditions = List.copyOf(conditions);
    }
  }
}
