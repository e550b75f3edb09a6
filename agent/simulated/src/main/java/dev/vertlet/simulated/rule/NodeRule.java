package dev.vertlet.simulated.rule;

import java.util.Map;

/**
 * Rule that makes nodes lost or not ready. All rules that match a node apply to it.
 *
 * @param name name in messages; with the seed it also decides which nodes {@code share} selects and
 *     when
 * @param node pattern of node names
 * @param matchLabels labels that the node must have
 * @param share share of the nodes, above 0 up to 1; drawn once per node
 * @param every healthy time from the start of the agent or the end of the last trouble; at least
 *     {@link #SHORTEST_MILLIS}
 * @param lasts duration of the trouble; at least {@link #SHORTEST_MILLIS}
 */
public record NodeRule(
    String name,
    Glob node,
    Map<String, String> matchLabels,
    double share,
    Trouble trouble,
    DurationRule every,
    DurationRule lasts) {
  /** Shortest interval: more changes per second would keep an event loop busy, unnoticed. */
  public static final long SHORTEST_MILLIS = 1_000;

  public enum Trouble {
    /** The node answers no pings: its Lease expires, and then its pods are not served. */
    LOST,
    /** The node reports that it is not Ready. */
    NOT_READY
  }

  public NodeRule {
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException(
          "share of rule \"" + name + "\" must be above 0 and at most 1, got " + share);
    }
    matchLabels = Map.copyOf(matchLabels);
  }

  public boolean takes(String nodeName, Map<String, String> labels, long seed) {
    return node.matches(nodeName)
        && labels.entrySet().containsAll(matchLabels.entrySet())
        && Hash64.unit(Hash64.of(seed, name, nodeName)) < share;
  }
}
