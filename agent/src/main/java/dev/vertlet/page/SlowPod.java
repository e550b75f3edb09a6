package dev.vertlet.page;

import dev.vertlet.bus.PodWay;

/**
 * A pod's way with the time of day.
 *
 * @param seen milliseconds since 1970
 */
record SlowPod(PodWay way, long seen) {
  /**
   * @param now milliseconds since 1970
   * @param nanos monotonic, of the same instant
   */
  static SlowPod of(PodWay way, long now, long nanos) {
    return new SlowPod(way, now - (nanos - way.seen()) / 1_000_000);
  }

  /** Nanoseconds from the first to the last that is known. */
  long took() {
    return way.took();
  }

  /** When it reached what it has reached last; milliseconds since 1970. */
  long ended() {
    return seen + took() / 1_000_000;
  }
}
