package dev.vertlet.kubelet;

import dev.vertlet.admission.NodePolicy;
import dev.vertlet.eviction.EvictionOptions;
import dev.vertlet.eviction.ImageGcOptions;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * Settings of a {@link KubeletCore}'s nodes, looked up by node name at each use.
 *
 * @param hostIPs addresses of a node, primary first, at most one of each family
 * @param eviction when pods are evicted from the node
 * @param imageGc when images are removed from the node
 * @param times sync frequency and back-off of the node's pods
 * @param policy which pods the node admits
 * @param maxImages most images in the node's status; -1 for all of them
 */
public record KubeletNodes(
    Function<String, List<String>> hostIPs,
    Function<String, EvictionOptions> eviction,
    Function<String, ImageGcOptions> imageGc,
    Function<String, PodTimes> times,
    Function<String, NodePolicy> policy,
    ToIntFunction<String> maxImages) {
  /** The kubelet's default of nodeStatusMaxImages. */
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
