package dev.vertlet.simulated;

import org.jspecify.annotations.Nullable;

/**
 * The life of one container instance, drawn. Times are milliseconds, {@link
 * DurationRule#NEVER_MILLIS} for never.
 *
 * @param sandboxDelay of the pod's sandbox, where this is its first container
 * @param readyDelay 0 when the container has no readiness of its own
 * @param runFor until it ends, by itself or for its memory
 * @param end how it ends then
 * @param ports of the pod, where this is its first container
 */
record Plan(
    long sandboxDelay,
    long pullDelay,
    long startDelay,
    long readyDelay,
    long runFor,
    End end,
    Stop stop,
    StartErrors errors,
    Checks checks,
    Consumption consumption,
    Ports ports) {

  /**
   * How a container ends by itself.
   *
   * @param oom killed for its memory; the code is 137 then
   * @param message what it leaves as its termination message, however it ends; null for none
   */
  record End(int exitCode, boolean oom, @Nullable String message) {
    static final End DONE = new End(0, false, null);
    static final End OOM_KILLED = new End(Instance.KILLED, true, null);
    static final End KILLED = new End(Instance.KILLED, false, null);

    /** Shared where they are common. */
    static End of(int exitCode) {
      return exitCode == 0 ? DONE : new End(exitCode, false, null);
    }

    /** The same with this message. */
    End leaving(@Nullable String text) {
      return text == null ? this : new End(exitCode, oom, text);
    }
  }

  /**
   * How a container is brought to an end.
   *
   * @param termDelay from TERM until it ends by itself
   * @param killDelay from KILL until it is dead
   */
  record Stop(long termDelay, long killDelay) {
    static final Stop AT_ONCE = new Stop(0, 0);

    /** Shared where it is common. */
    static Stop of(long termDelay, long killDelay) {
      return termDelay == 0 && killDelay == 0 ? AT_ONCE : new Stop(termDelay, killDelay);
    }
  }

  /** {@code time} plus {@code delay}; never stays never. */
  static long after(long time, long delay) {
    return delay == DurationRule.NEVER_MILLIS || time == DurationRule.NEVER_MILLIS
        ? DurationRule.NEVER_MILLIS
        : time + delay;
  }
}
