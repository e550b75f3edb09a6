package dev.vertlet.simulated;

import org.jspecify.annotations.Nullable;

/**
 * The life of one container instance, drawn. Times are milliseconds, {@link
 * DurationRule#NEVER_MILLIS} for never.
 *
 * @param readyDelay 0 when the container has no readiness of its own
 */
record Plan(
    long pullDelay,
    long startDelay,
    long readyDelay,
    long runFor,
    int exitCode,
    long stopDelay,
    @Nullable String pullError,
    @Nullable String startError,
    Checks checks,
    Consumption consumption) {

  /** {@code time} plus {@code delay}; never stays never. */
  static long after(long time, long delay) {
    return delay == DurationRule.NEVER_MILLIS || time == DurationRule.NEVER_MILLIS
        ? DurationRule.NEVER_MILLIS
        : time + delay;
  }
}
