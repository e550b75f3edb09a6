package dev.vertlet.lifecycle;

import dev.vertlet.eviction.EvictionOptions;
import java.util.List;
import java.util.function.Function;

/**
 * What a {@link KubeletCore} is told of its nodes, each by its name.
 *
 * @param hostIPs addresses of a node, primary first, at most one of each family
 * @param eviction when pods are evicted from it
 */
public record KubeletNodes(
    Function<String, List<String>> hostIPs, Function<String, EvictionOptions> eviction) {
  /** Nodes that evict pods as a kubelet does without a configuration. */
  public KubeletNodes(Function<String, List<String>> hostIPs) {
    this(hostIPs, node -> EvictionOptions.DEFAULTS);
  }
}
