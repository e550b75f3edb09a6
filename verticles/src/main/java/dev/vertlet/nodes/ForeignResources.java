package dev.vertlet.nodes;

import dev.vertlet.model.HugePages;
import dev.vertlet.model.NodeStatusView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What others put into the capacity of a node, such as extended resources that somebody advertises
 * by a patch: its pods may use all of it, and huge pages are taken off their memory, as a kubelet
 * works it out anew with each status. Pure.
 */
final class ForeignResources {
  private static final String MEMORY = "memory";

  private ForeignResources() {}

  /** The status that the node is to have, with all that its pods may use. */
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

  /** Extended resources that pods may use and the node has no longer, in no order. */
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
