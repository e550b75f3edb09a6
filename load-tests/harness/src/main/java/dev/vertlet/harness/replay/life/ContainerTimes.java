package dev.vertlet.harness.replay.life;

import org.jspecify.annotations.Nullable;

/**
 * How one run of a container goes, in real milliseconds.
 *
 * @param sandbox before its pod's sandbox is there; {@link #NEVER} for a pod that never starts
 * @param start before it runs
 * @param ready from its start until it is ready; {@link #NEVER} for never
 * @param runs until it ends by itself; {@link #NEVER} for never
 * @param exitCode of that end
 * @param oom whether it is killed for its memory then
 * @param stop from the request to stop until it ends
 */
record ContainerTimes(
    long sandbox, long start, long ready, long runs, int exitCode, boolean oom, long stop) {
  static final long NEVER = -1;

  /** Runs at once and until it is stopped. */
  static final ContainerTimes PLAIN = new ContainerTimes(0, 0, 0, NEVER, 0, false, 0);

  /** A duration as settings of simulated containers spell it. */
  static @Nullable String text(long millis) {
    if (millis == 0) {
      return null;
    }
    return millis == NEVER ? "never" : millis + "ms";
  }
}
