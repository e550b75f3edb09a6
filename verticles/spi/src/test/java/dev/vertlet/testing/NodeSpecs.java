package dev.vertlet.testing;

import dev.vertlet.model.node.TaintView;
import dev.vertlet.provider.node.NodeSpec;
import java.util.List;
import java.util.Map;

/** Nodes of tests, and changes to them. */
public final class NodeSpecs {
  /** Of a node that has something of everything. */
  public static final Map<String, String> CAPACITY =
      Map.of("cpu", "4", "memory", "8Gi", "pods", "110");

  private NodeSpecs() {}

  /** A node of which only this is known; pods may have all of it. */
  public static NodeSpec having(String name, Map<String, String> capacity, TaintView... taints) {
    return new NodeSpec(
        name,
        Map.of(),
        Map.of(),
        List.of(taints),
        capacity,
        capacity,
        List.of(),
        Map.of("bootID", "boot-of-" + name),
        "");
  }

  public static NodeSpec withCapacity(NodeSpec spec, Map<String, String> capacity) {
    return new NodeSpec(
        spec.name(),
        spec.labels(),
        spec.annotations(),
        spec.taints(),
        capacity,
        capacity,
        spec.addresses(),
        spec.nodeInfo(),
        spec.podCidr());
  }
}
