package dev.vertlet.page;

import dev.vertlet.bus.PodTimeline;

/**
 * A pod's timeline with its wall clock time.
 *
 * @param seen milliseconds since 1970
 */
record SlowPod(PodTimeline way, long seen) {
  /**
   * @param now milliseconds since 1970
   * @param nanos monotonic time of the same instant
   */
  static SlowPod of(PodTimeline way, long now, long nanos) {
    return new SlowPod(way, now - (nanos - way.seen()) / 1_000_000);
  }

  /** Returns the nanoseconds from the first to the last known step. */
  long took() {
    return way.took();
  }

  /** Returns the time of the last known step, milliseconds since 1970. */
  long ended() {
    return seen + took() / 1_000_000;
  }
}
