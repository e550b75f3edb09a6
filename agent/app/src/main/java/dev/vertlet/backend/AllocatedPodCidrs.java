package dev.vertlet.backend;

import dev.vertlet.model.node.NodeView;
import dev.vertlet.provider.node.NodeProvider;
import dev.vertlet.provider.node.NodeSpec;
import io.vertx.core.Future;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Pod ranges of nodes that the cluster has allocated: {@code spec.podCIDRs} of their objects, as
 * kube-controller-manager writes them. A node's range is written and read on the context of its
 * shard; shards share only the map.
 */
final class AllocatedPodCidrs {
  /** Ranges by node, as {@link NodeView#podCidr}; nodes without one are missing. */
  private final Map<String, String> ranges = new ConcurrentHashMap<>();

  /** Returns the node's ranges, divided by commas; empty for none. */
  String of(String node) {
    return ranges.getOrDefault(node, "");
  }

  /** Wraps a provider of nodes so that their ranges are recorded. */
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
