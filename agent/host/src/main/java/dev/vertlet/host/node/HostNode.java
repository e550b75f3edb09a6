package dev.vertlet.host.node;

import dev.vertlet.provider.node.NodeSpec;
import java.util.HashMap;
import java.util.Map;

/**
 * What nodes say of the machine that they are on.
 *
 * @param info fields of {@code status.nodeInfo}, by their JSON names
 */
public record HostNode(Map<String, String> info) {
  private static final String ARCHITECTURE_LABEL = "kubernetes.io/arch";

  public HostNode {
    info = Map.copyOf(info);
  }

  /** Reads what this machine is. Blocks. */
  public static HostNode read() {
    return new HostNode(Machine.info());
  }

  /** Returns a node with these fields in place of its own, and with the architecture as label. */
  public NodeSpec over(NodeSpec spec) {
    Map<String, String> all = new HashMap<>(spec.nodeInfo());
    all.putAll(info);
    Map<String, String> labels = new HashMap<>(spec.labels());
    labels.computeIfPresent(
        ARCHITECTURE_LABEL, (key, arch) -> info.getOrDefault("architecture", arch));
    return new NodeSpec(
        spec.name(),
        labels,
        spec.annotations(),
        spec.taints(),
        spec.capacity(),
        spec.allocatable(),
        spec.addresses(),
        all,
        spec.podCidr(),
        spec.features(),
        spec.images());
  }
}
