package dev.vertlet.stages.cluster;

import dev.vertlet.provider.node.NodeSpec;
import java.util.Optional;

/** What an agent knows of the nodes whose stages it plays. Callable from any thread. */
public interface StageNodes {
  /** An agent without such nodes: stages of nodes and pods are not played. */
  StageNodes NONE =
      new StageNodes() {
        @Override
        public boolean any() {
          return false;
        }

        @Override
        public Optional<NodeSpec> spec(String node) {
          return Optional.empty();
        }

        @Override
        public int kubeletPort(String node) {
          return 0;
        }
      };

  /** Whether there can be such a node. */
  boolean any();

  /** Label selector of the nodes, empty where none has all of them. */
  default String labelSelector() {
    return "";
  }

  /** Name of the node if there is only one, else empty. */
  default String onlyOne() {
    return "";
  }

  /** Description of a node with the provider {@code stages}; empty for any other. */
  Optional<NodeSpec> spec(String node);

  /** Port of the node's kubelet API; 0 if it has none, or none yet. */
  int kubeletPort(String node);
}
