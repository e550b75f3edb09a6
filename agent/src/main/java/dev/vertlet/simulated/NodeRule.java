package dev.vertlet.simulated;

import java.util.Map;

/**
 * Which nodes get into trouble, and when. All rules that fit a node count for it.
 *
 * @param name for people; with the seed it also decides which nodes a {@code share} takes, and when
 * @param node names of nodes
 * @param matchLabels labels the node must have
 * @param share of the nodes that the rule takes, above 0 up to 1; drawn once per node
 * @param every how long a node is well, from the start of the agent or the end of its last trouble;
 *     what is drawn below {@link #SHORTEST_MILLIS} counts as that
 * @param lasts how long the trouble lasts, not below that either
 */
public record NodeRule(
    String name,
    Glob node,
    Map<String, String> matchLabels,
    double share,
    Trouble trouble,
    DurationRule every,
    DurationRule lasts) {
  /** What happens more often than once a second keeps an event loop busy and nobody sees it. */
  static final long SHORTEST_MILLIS = 1_000;

  /** What a node suffers from. */
  public enum Trouble {
    /** It answers no pings: its lease is not renewed, and then its pods are not served. */
    LOST,
    /** It says of itself that it is not Ready. */
    NOT_READY
  }

  public NodeRule {
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException(
          "share of rule \"" + name + "\" must be above 0 and at most 1, got " + share);
    }
    matchLabels = Map.copyOf(matchLabels);
  }

  boolean takes(String nodeName, Map<String, String> labels, long seed) {
    return node.matches(nodeName)
        && labels.entrySet().containsAll(matchLabels.entrySet())
        && Hash64.unit(Hash64.of(seed, name, nodeName)) < share;
  }
}
