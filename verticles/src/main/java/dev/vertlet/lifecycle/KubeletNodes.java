package dev.vertlet.lifecycle;

import dev.vertlet.admission.NodePolicy;
import dev.vertlet.eviction.EvictionOptions;
import dev.vertlet.eviction.ImageGcOptions;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * What a {@link KubeletCore} is told of its nodes, each by its name, whenever it wants to know.
 *
 * @param hostIPs addresses of a node, primary first, at most one of each family
 * @param eviction when pods are evicted from it
 * @param imageGc when images are removed from it
 * @param times how its pods are looked after
 * @param policy which pods it takes
 * @param maxImages how many of its images its status shows at most; -1 for all of them
 */
public record KubeletNodes(
    Function<String, List<String>> hostIPs,
    Function<String, EvictionOptions> eviction,
    Function<String, ImageGcOptions> imageGc,
    Function<String, PodTimes> times,
    Function<String, NodePolicy> policy,
    ToIntFunction<String> maxImages) {
  /** A kubelet's nodeStatusMaxImages. */
  private static final int MAX_IMAGES = 50;

  /** Nodes that evict pods and remove images as a kubelet does without a configuration. */
  public KubeletNodes(Function<String, List<String>> hostIPs) {
    this(
        hostIPs,
        node -> EvictionOptions.DEFAULTS,
        node -> ImageGcOptions.DEFAULTS,
        node -> PodTimes.DEFAULTS,
        node -> NodePolicy.DEFAULTS,
        node -> MAX_IMAGES);
  }
}
