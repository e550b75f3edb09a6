package dev.vertlet.backend;

import dev.vertlet.model.NodeView;
import dev.vertlet.provider.NodeProvider;
import dev.vertlet.provider.NodeSpec;
import io.vertx.core.Future;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Ranges that the cluster gave to nodes for their pods: {@code spec.podCIDRs} of their objects, as
 * kube-controller-manager writes them where it allocates them. A node's range is written and read
 * on the context of its shard; shards share the map alone.
 */
final class AllocatedPodCidrs {
  /** By node, as {@link NodeView#podCidr}; nodes without one are missing. */
  private final Map<String, String> ranges = new ConcurrentHashMap<>();

  /** The node's ranges divided by commas; empty for none. */
  String of(String node) {
    return ranges.getOrDefault(node, "");
  }

  /** What is said of nodes, by one that takes note of their ranges. */
  NodeProvider noting(NodeProvider nodes) {
    return new Noting(nodes);
  }

  private final class Noting implements NodeProvider {
    private final NodeProvider nodes;

    Noting(NodeProvider nodes) {
      this.nodes = nodes;
    }

    @Override
    public void observed(NodeView node) {
      if (node.podCidr().isEmpty()) {
        ranges.remove(node.name());
      } else {
        ranges.put(node.name(), node.podCidr());
      }
      nodes.observed(node);
    }

    @Override
    public void forget(String node) {
      ranges.remove(node);
      nodes.forget(node);
    }

    @Override
    public Future<Void> ping(String node) {
      return nodes.ping(node);
    }

    @Override
    public NodeHealth health(String node) {
      return nodes.health(node);
    }

    @Override
    public void onChange(Consumer<String> listener) {
      nodes.onChange(listener);
    }

    @Override
    public NodeSpec configure(NodeSpec spec) {
      return nodes.configure(spec);
    }
  }
}
