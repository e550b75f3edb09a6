package dev.vertlet.harness.nodes;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What makes a set of nodes have a number of them. Pure.
 *
 * @param create numbers of the nodes to make, the lowest first
 * @param delete nodes to remove, the highest numbers first
 * @param kept how many stay as they are
 */
public record NodePlan(List<Integer> create, List<FoundNode> delete, int kept) {
  public NodePlan {
    create = List.copyOf(create);
    delete = List.copyOf(delete);
  }

  /**
   * Makes the lowest numbers that are not there, or removes the highest that are. Never both: a gap
   * that somebody made by deleting one node is no reason to remove another.
   *
   * @param found what carries the label; names that the pattern does not give are another set's
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

  /** As {@link #scale}, where nothing is removed. */
  public static NodePlan create(NodePattern pattern, Collection<FoundNode> found, int count) {
    int there = numbered(pattern, found).size();
    return scale(pattern, found, Math.max(there, count));
  }

  /** Removes all of these. */
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

  /** Requests that it takes. */
  public int size() {
    return create.size() + delete.size();
  }
}
