package dev.vertlet.page;

import java.util.ArrayList;
import java.util.List;

/** Counts events in each of the last seconds. Uses no clock. */
final class PerSecond {
  private static final int KEPT = 128;

  private final int[] counts = new int[KEPT];
  private final long[] seconds = new long[KEPT];

  void add(long second, int more) {
    int at = (int) (second % KEPT);
    if (seconds[at] != second) {
      seconds[at] = second;
      counts[at] = 0;
    }
    counts[at] += more;
  }

  /**
   * Returns the counts of completed seconds, oldest first.
   *
   * @param now current second, which is not complete
   * @param many at most 120
   */
  List<Integer> last(long now, int many) {
    List<Integer> last = new ArrayList<>(many);
    for (long second = now - many; second < now; second++) {
      int at = (int) Math.floorMod(second, (long) KEPT);
      last.add(seconds[at] == second ? counts[at] : 0);
    }
    return last;
  }
}
