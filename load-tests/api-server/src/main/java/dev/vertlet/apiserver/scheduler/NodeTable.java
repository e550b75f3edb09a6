package dev.vertlet.apiserver.scheduler;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.apiserver.scheduler.Requirements.Shape;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** All nodes with what they offer and what is taken; answers where a pod goes. */
final class NodeTable {
  /**
   * Shapes with an index of their own. Each costs O(log nodes) per binding; a workload has few, and
   * pods that name their node, as those of DaemonSets do, need none.
   */
  private static final int MOST_SHAPES = 16;

  private final Map<String, NodeEntry> nodes = new HashMap<>();
  private int existing;
  private final Map<Shape, Candidates> byShape =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Shape, Candidates> eldest) {
          return size() > MOST_SHAPES;
        }
      };

  /**
   * Where a pod goes.
   *
   * @param node the node, empty when none fits
   * @param message why none fits
   */
  record Placement(String node, String message) {
    boolean found() {
      return !node.isEmpty();
    }
  }

  /** Takes over a node; false when nothing changed that matters here. */
  boolean update(String name, JsonNode node) {
    NodeEntry entry = entry(name);
    if (!entry.differsFrom(node)) {
      return false;
    }
    existing += entry.exists() ? 0 : 1;
    byShape.values().forEach(candidates -> candidates.takeOut(entry));
    entry.update(node);
    byShape.values().forEach(candidates -> candidates.putIn(entry));
    return true;
  }

  private NodeEntry entry(String name) {
    return nodes.computeIfAbsent(name, NodeEntry::new);
  }

  /** Forgets a node; the pods assigned to it stay counted until they go. */
  void remove(String name) {
    NodeEntry entry = nodes.get(name);
    if (entry != null && entry.exists()) {
      byShape.values().forEach(candidates -> candidates.takeOut(entry));
      entry.gone();
      existing--;
      forgetIfVoid(entry);
    }
  }

  private void forgetIfVoid(NodeEntry entry) {
    if (entry.isVoid()) {
      nodes.remove(entry.name());
    }
  }

  /** Counts a pod on a node. */
  void take(String name, Demand demand) {
    NodeEntry entry = entry(name);
    byShape.values().forEach(candidates -> candidates.takeOut(entry));
    entry.take(demand);
    byShape.values().forEach(candidates -> candidates.putIn(entry));
  }

  /** Counts a pod no longer. */
  void release(String name, Demand demand) {
    NodeEntry entry = entry(name);
    byShape.values().forEach(candidates -> candidates.takeOut(entry));
    entry.release(demand);
    byShape.values().forEach(candidates -> candidates.putIn(entry));
    forgetIfVoid(entry);
  }

  /** Finds the node with the fewest pods that fits. */
  Placement place(Requirements pod) {
    Optional<Set<String>> names = NodeAffinity.names(pod.shape().affinity());
    if (names.isPresent()) {
      return placeAmong(names.get(), pod);
    }
    Candidates candidates = byShape.get(pod.shape());
    if (candidates == null) {
      candidates = new Candidates(pod.shape());
      nodes.values().forEach(candidates::putIn);
      byShape.put(pod.shape(), candidates);
    }
    Optional<NodeEntry> picked = candidates.pick(pod.demand());
    return picked.isPresent()
        ? new Placement(picked.get().name(), "")
        : new Placement("", candidates.explain(pod.demand()).message());
  }

  private Placement placeAmong(Set<String> names, Requirements pod) {
    Candidates candidates = new Candidates(pod.shape());
    long visited =
        names.stream()
            .sorted(Comparator.naturalOrder())
            .map(nodes::get)
            .filter(entry -> entry != null && entry.exists())
            .peek(candidates::putIn)
            .count();
    Optional<NodeEntry> picked = candidates.pick(pod.demand());
    if (picked.isPresent()) {
      return new Placement(picked.get().name(), "");
    }
    FitError error = candidates.explain(pod.demand());
    error.add(Rejection.NOT_NAMED, existing - (int) visited);
    return new Placement("", error.message());
  }
}
