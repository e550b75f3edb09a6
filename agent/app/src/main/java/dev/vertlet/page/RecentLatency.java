package dev.vertlet.page;

/** Durations in total and in the last minute. Uses no clock. */
final class RecentLatency {
  private static final int SLOTS = 6;
  private static final long SLOT_SECONDS = 10;

  private final LatencyHistogram ever = new LatencyHistogram();
  private final LatencyHistogram[] slots = new LatencyHistogram[SLOTS];
  private final long[] turns = new long[SLOTS];

  RecentLatency() {
    for (int i = 0; i < SLOTS; i++) {
      slots[i] = new LatencyHistogram();
    }
  }

  /**
   * @param second second of the same clock as in {@link #minute}
   */
  void record(long second, long micros) {
    long turn = second / SLOT_SECONDS;
    int at = (int) (turn % SLOTS);
    if (turns[at] != turn) {
      turns[at] = turn;
      slots[at].clear();
    }
    slots[at].record(micros);
    ever.record(micros);
  }

  LatencyHistogram ever() {
    return ever;
  }

  /** Returns the durations of the last 50 to 60 s. */
  LatencyHistogram minute(long second) {
    LatencyHistogram minute = new LatencyHistogram();
    long turn = second / SLOT_SECONDS;
    for (int i = 0; i < SLOTS; i++) {
      if (turn - turns[i] < SLOTS) {
        minute.add(slots[i]);
      }
    }
    return minute;
  }
}
