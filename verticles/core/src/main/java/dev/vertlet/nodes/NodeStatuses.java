package dev.vertlet.nodes;

import dev.vertlet.model.node.NodeConditionView;
import dev.vertlet.model.node.NodeStatusView;
import dev.vertlet.provider.node.NodeProvider.NodeHealth;
import dev.vertlet.provider.node.NodeSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Computes a node's status as a kubelet does. Pure. Reasons and messages are the kubelet's. */
final class NodeStatuses {
  private static final List<String> NEEDED = List.of("cpu", "memory", "pods");

  private NodeStatuses() {}

  static NodeStatusView of(NodeSpec spec, NodeHealth health) {
    List<NodeConditionView> conditions = new ArrayList<>();
    conditions.add(
        pressure(
            health,
            "MemoryPressure",
            "KubeletHasSufficientMemory",
            "kubelet has sufficient memory available"));
    conditions.add(
        pressure(
            health, "DiskPressure", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"));
    conditions.add(
        pressure(
            health,
            "PIDPressure",
            "KubeletHasSufficientPID",
            "kubelet has sufficient PID available"));
    conditions.add(
        pressure(
            health,
            "NetworkUnavailable",
            "PodNetworkReady",
            "the node gives its pods their addresses"));
    for (NodeConditionView own : health.conditions()) {
      if (conditions.stream().noneMatch(c -> c.type().equals(own.type()))) {
        conditions.add(own);
      }
    }
    conditions.add(ready(spec, health));
    return new NodeStatusView(
        spec.capacity(),
        spec.allocatable(),
        conditions,
        spec.addresses(),
        spec.nodeInfo(),
        0,
        List.of(),
        spec.features().shown(),
        spec.images());
  }

  private static NodeConditionView pressure(
      NodeHealth health, String type, String reason, String message) {
    return health.conditions().stream()
        .filter(c -> c.type().equals(type))
        .findFirst()
        .orElseGet(() -> condition(type, "False", reason, message));
  }

  private static NodeConditionView ready(NodeSpec spec, NodeHealth health) {
    List<String> missing =
        NEEDED.stream().filter(name -> !spec.capacity().containsKey(name)).toList();
    String lack =
        missing.isEmpty()
            ? ""
            : "missing node capacity for resources: " + String.join(", ", missing);
    String problem =
        String.join(
            ", ",
            Stream.of(health.ready() ? "" : health.message(), lack)
                .filter(text -> !text.isEmpty())
                .toList());
    if (health.ready() && problem.isEmpty()) {
      return condition("Ready", "True", "KubeletReady", "kubelet is posting ready status");
    }
    return condition("Ready", "False", "KubeletNotReady", problem);
  }

  private static NodeConditionView condition(
      String type, String status, String reason, String message) {
    return new NodeConditionView(type, status, reason, message, null, null);
  }
}
