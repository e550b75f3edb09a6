package dev.vertlet.lifecycle;

import dev.vertlet.admission.NodePolicy;
import dev.vertlet.eviction.EvictionOptions;
import dev.vertlet.eviction.ImageGcOptions;
import java.util.List;
import java.util.function.Function;

/**
 * What a {@link KubeletCore} is told of its nodes, each by its name, whenever it wants to know.
 *
 * @param hostIPs addresses of a node, primary first, at most one of each family
 * @param eviction when pods are evicted from it
 * @param imageGc when images are removed from it
 * @param times how its pods are looked after
 * @param policy which pods it takes
 */
public record KubeletNodes(
    Function<String, List<String>> hostIPs,
    Function<String, EvictionOptions> eviction,
    Function<String, ImageGcOptions> imageGc,
    Function<String, PodTimes> times,
    Function<String, NodePolicy> policy) {
  /** Nodes that evict pods and remove images as a kubelet does without a configuration. */
  public KubeletNodes(Function<String, List<String>> hostIPs) {
    this(
        hostIPs,
        node -> EvictionOptions.DEFAULTS,
        node -> ImageGcOptions.DEFAULTS,
        node -> PodTimes.DEFAULTS,
        node -> NodePolicy.DEFAULTS);
  }
}
