package dev.vertlet.simulated;

import dev.vertlet.simulated.rule.Checks;
import dev.vertlet.simulated.rule.Consumption;
import dev.vertlet.simulated.rule.DurationRule;
import dev.vertlet.simulated.rule.ListeningPorts;
import dev.vertlet.simulated.rule.StartErrors;
import org.jspecify.annotations.Nullable;

/**
 * Drawn life of one container instance. Times are milliseconds, {@link DurationRule#NEVER_MILLIS}
 * for never.
 *
 * @param sandboxDelay creation time of the pod's sandbox, used for the pod's first container
 * @param readyDelay 0 for a container without a readiness setting
 * @param runFor time until the container ends by itself or is OOM-killed
 * @param end how it ends then
 * @param ports ports of the pod, used for the pod's first container
 */
public record Plan(
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
    ListeningPorts ports) {
  /** Starts at once, runs until it is stopped, and has no rules. */
  static final Plan PLAIN =
      new Plan(
          0,
          0,
          0,
          0,
          DurationRule.NEVER_MILLIS,
          End.DONE,
          Stop.AT_ONCE,
          StartErrors.UNSET,
          Checks.UNSET,
          Consumption.UNSET,
          ListeningPorts.ANY);

  /**
   * How a container ends by itself.
   *
   * @param oom whether it is OOM-killed; the exit code is 137 then
   * @param message termination message, however it ends; null for none
   */
  record End(int exitCode, boolean oom, @Nullable String message) {
    static final End DONE = new End(0, false, null);
    static final End OOM_KILLED = new End(Instance.KILLED, true, null);
    static final End KILLED = new End(Instance.KILLED, false, null);

    /** Returns an end, shared for common exit codes. */
    static End of(int exitCode) {
      return exitCode == 0 ? DONE : new End(exitCode, false, null);
    }

    /** Returns a copy with this message. */
    End leaving(@Nullable String text) {
      return text == null ? this : new End(exitCode, oom, text);
    }
  }

  /**
   * Reaction of a container to being stopped.
   *
   * @param termDelay time from TERM until it ends by itself
   * @param killDelay time from KILL until it is dead
   */
  record Stop(long termDelay, long killDelay) {
    static final Stop AT_ONCE = new Stop(0, 0);

    /** Returns a reaction, shared for common delays. */
    static Stop of(long termDelay, long killDelay) {
      return termDelay == 0 && killDelay == 0 ? AT_ONCE : new Stop(termDelay, killDelay);
    }
  }

  /** Adds {@code delay} to {@code time}; never stays never. */
  static long after(long time, long delay) {
    return delay == DurationRule.NEVER_MILLIS || time == DurationRule.NEVER_MILLIS
        ? DurationRule.NEVER_MILLIS
        : time + delay;
  }
}
