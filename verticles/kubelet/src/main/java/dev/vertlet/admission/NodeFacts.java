package dev.vertlet.admission;

import dev.vertlet.model.node.NodeStatusView;
import dev.vertlet.model.node.NodeView;
import dev.vertlet.model.node.TaintView;
import dev.vertlet.model.pod.PodRequests;
import dev.vertlet.model.resource.Quantities;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Properties of a node for admission, read once from its object.
 *
 * @param measured whether the node's status has allocatable resources; without them no request is
 *     too large
 * @param allocatable total resources of its pods
 * @param pods maximum number of pods
 * @param noExecute its taints with effect NoExecute
 * @param os name of its operating system
 * @param strictGroups whether pods can exclude the groups of their images
 */
public record NodeFacts(
    String name,
    boolean measured,
    PodRequests allocatable,
    long pods,
    Map<String, String> labels,
    List<TaintView> noExecute,
    String os,
    boolean strictGroups) {
  private static final String CPU = "cpu";
  private static final String MEMORY = "memory";
  private static final String EPHEMERAL_STORAGE = "ephemeral-storage";
  private static final String PODS = "pods";

  public NodeFacts {
    labels = Map.copyOf(labels);
    noExecute = List.copyOf(noExecute);
  }

  public static NodeFacts of(NodeView node) {
    NodeStatusView status = node.status();
    Map<String, String> has = status.allocatable();
    Map<String, Long> others = new HashMap<>();
    has.forEach((resource, amount) -> others.put(resource, Quantities.units(amount)));
    others.keySet().removeAll(List.of(CPU, MEMORY, EPHEMERAL_STORAGE, PODS));
    PodRequests allocatable =
        new PodRequests(
            Quantities.milli(has.getOrDefault(CPU, "0")),
            Quantities.units(has.getOrDefault(MEMORY, "0")),
            Quantities.units(has.getOrDefault(EPHEMERAL_STORAGE, "0")),
            others);
    return new NodeFacts(
        node.name(),
        !has.isEmpty(),
        allocatable,
        Quantities.units(has.getOrDefault(PODS, "0")),
        node.labels(),
        node.taints().stream().filter(taint -> taint.effect().equals("NoExecute")).toList(),
        status.nodeInfo().getOrDefault("operatingSystem", "linux"),
        status.features().supplementalGroupsPolicy());
  }
}
