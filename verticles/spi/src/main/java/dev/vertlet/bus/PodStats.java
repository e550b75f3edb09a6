package dev.vertlet.bus;

import java.util.List;

/**
 * Changes of a shard's pods since the previous message. Published once a second while something
 * changes, otherwise not at all.
 *
 * @param nodes counts of the nodes with changes; a missing node has the same counts as before
 * @param over completed timelines; the first {@link #MOST_WAYS} of them
 * @param underWay the oldest incomplete timelines, the oldest first, at most {@link #OLDEST}
 * @param started number of pods that became Ready
 * @param gone number of pods that the API server no longer holds
 * @param starting number of pods that are seen and not yet Ready
 * @param ending number of pods that are deleted and not yet gone
 * @param writes number of statuses that wait to be sent or answered
 */
public record PodStats(
    int shard,
    List<NodePodCounts> nodes,
    List<PodTimeline> over,
    List<PodTimeline> underWay,
    int started,
    int gone,
    int starting,
    int ending,
    int writes)
    implements BusMessage {
  /** Further timelines within a second are counted, but their times are not published. */
  public static final int MOST_WAYS = 10_000;

  /** Limit of the incomplete timelines for display. */
  public static final int OLDEST = 20;

  public PodStats {
    nodes = List.copyOf(nodes);
    over = List.copyOf(over);
    underWay = List.copyOf(underWay);
  }
}
