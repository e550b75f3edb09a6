package dev.vertlet.harness.nodes;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Changes that bring a set of nodes to a size. Pure.
 *
 * @param create numbers of the nodes to create, the lowest first
 * @param delete nodes to delete, the highest numbers first
 * @param kept number of nodes that stay as they are
 */
public record NodePlan(List<Integer> create, List<FoundNode> delete, int kept) {
  public NodePlan {
    create = List.copyOf(create);
    delete = List.copyOf(delete);
  }

  /**
   * Creates the lowest missing numbers or deletes the highest existing ones. Never both: a gap left
   * by a deleted node is no reason to delete another.
   *
   * @param found nodes with the label; names that do not fit the pattern belong to another set
   * @param count 0 or more
   */
  public static NodePlan scale(NodePattern pattern, Collection<FoundNode> found, int count) {
    Map<Integer, FoundNode> numbered = numbered(pattern, found);
    List<Integer> missing = new ArrayList<>();
    for (int i = 0; numbered.size() + missing.size() < count; i++) {
      if (!numbered.containsKey(i)) {
        missing.add(i);
      }
    }
    List<FoundNode> tooMany =
        numbered.entrySet().stream()
            .sorted(Map.Entry.<Integer, FoundNode>comparingByKey(Comparator.reverseOrder()))
            .limit(Math.max(0, numbered.size() - count))
            .map(Map.Entry::getValue)
            .toList();
    return new NodePlan(missing, tooMany, numbered.size() - tooMany.size());
  }

  /** Plans like {@link #scale} but deletes no node. */
  public static NodePlan create(NodePattern pattern, Collection<FoundNode> found, int count) {
    int there = numbered(pattern, found).size();
    return scale(pattern, found, Math.max(there, count));
  }

  /** Deletes all of these nodes. */
  public static NodePlan delete(Collection<FoundNode> found) {
    return new NodePlan(
        List.of(), found.stream().sorted(Comparator.comparing(FoundNode::name)).toList(), 0);
  }

  private static Map<Integer, FoundNode> numbered(
      NodePattern pattern, Collection<FoundNode> found) {
    Map<Integer, FoundNode> numbered = new HashMap<>();
    for (FoundNode node : found) {
      pattern.indexOf(node.name()).ifPresent(index -> numbered.put(index, node));
    }
    return numbered;
  }

  /** Number of requests. */
  public int size() {
    return create.size() + delete.size();
  }
}
