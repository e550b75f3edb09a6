package dev.vertlet.harness.replay.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Names the group of a node: the pool that its labels name, else its instance type, else its shape.
 */
public final class NodeGroups {
  /** Labels of node pools, as Karpenter and the managed services of clouds set them. */
  private static final List<String> POOLS =
      List.of(
          "karpenter.sh/nodepool",
          "eks.amazonaws.com/nodegroup",
          "cloud.google.com/gke-nodepool",
          "kubernetes.azure.com/agentpool",
          "agentpool",
          "node.kubernetes.io/instance-type");

  private static final double GIB = 1L << 30;

  private NodeGroups() {}

  public static String of(Map<String, String> labels, Demand allocatable) {
    for (String label : POOLS) {
      String value = labels.getOrDefault(label, "");
      if (!value.isEmpty()) {
        return value;
      }
    }
    return String.format(
        Locale.ROOT, "%.0f CPU, %.0f GiB", allocatable.cpu(), allocatable.memory() / GIB);
  }
}
