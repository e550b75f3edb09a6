package dev.vertlet.bus;

import java.util.List;

/**
 * What became of a shard's pods since this was last told, which is once a second while something
 * happens to them, and not at all while nothing does.
 *
 * @param nodes whose pods were counted anew; a node that is missing has as many as before
 * @param over ways that have come to their end; the first {@link #MOST_WAYS} of them
 * @param underWay the oldest ways that have not, the oldest first, at most {@link #OLDEST}
 * @param started pods that became Ready
 * @param gone pods that the API server holds no longer
 * @param starting how many are seen and not yet Ready
 * @param ending how many are deleted and not yet gone
 * @param writes statuses that wait to be sent, or to be answered
 */
public record PodsTold(
    int shard,
    List<NodePods> nodes,
    List<PodWay> over,
    List<PodWay> underWay,
    int started,
    int gone,
    int starting,
    int ending,
    int writes)
    implements BusMessage {
  /** More than that in a second are counted, and their times are not told. */
  public static final int MOST_WAYS = 10_000;

  /** Nobody looks at more. */
  public static final int OLDEST = 20;

  public PodsTold {
    nodes = List.copyOf(nodes);
    over = List.copyOf(over);
    underWay = List.copyOf(underWay);
  }
}
