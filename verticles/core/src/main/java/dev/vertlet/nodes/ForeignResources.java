package dev.vertlet.nodes;

import dev.vertlet.model.node.NodeStatusView;
import dev.vertlet.model.resource.HugePages;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Resources that other clients add to a node's capacity, such as extended resources advertised by a
 * patch: they become allocatable, and huge pages are subtracted from allocatable memory, as a
 * kubelet does with each status. Pure.
 */
final class ForeignResources {
  private static final String MEMORY = "memory";

  private ForeignResources() {}

  /** Returns the status with these resources allocatable. */
  static NodeStatusView counted(NodeStatusView current, NodeStatusView own) {
    Map<String, String> foreign = new HashMap<>(current.capacity());
    foreign.keySet().removeAll(own.capacity().keySet());
    if (foreign.isEmpty()) {
      return own;
    }
    Map<String, String> allocatable = new HashMap<>(own.allocatable());
    allocatable.putAll(foreign);
    String memory = allocatable.get(MEMORY);
    if (memory != null) {
      allocatable.put(MEMORY, HugePages.off(memory, foreign));
    }
    return own.withAllocatable(allocatable);
  }

  /** Extended resources that are allocatable but no longer in the capacity, in no order. */
  static List<String> stale(NodeStatusView current, NodeStatusView wanted) {
    return current.allocatable().keySet().stream()
        .filter(resource -> !wanted.allocatable().containsKey(resource))
        .filter(ForeignResources::isExtended)
        .toList();
  }

  private static boolean isExtended(String resource) {
    return resource.contains("/")
        && !resource.contains("kubernetes.io/")
        && !resource.startsWith("requests.");
  }
}
