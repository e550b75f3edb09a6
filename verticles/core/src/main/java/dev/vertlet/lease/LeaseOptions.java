package dev.vertlet.lease;

import dev.vertlet.problem.Problems;
import dev.vertlet.problem.RefusedSettingsException;
import java.time.Duration;

/**
 * Section {@code lease}: the Leases of the nodes. Kubelets renew every 0.25 × 40 s = 10 s, so three
 * renewals may fail before expiry.
 *
 * @param enabled false for nodes without Leases
 * @param duration term of a Lease without renewal; whole seconds, 1 s to 1 h
 * @param renewInterval time from the start of one renewal to the start of the next; at least 100
 *     ms, at most half of {@code duration}
 */
public record LeaseOptions(boolean enabled, Duration duration, Duration renewInterval) {
  /**
   * @throws RefusedSettingsException with keys, values and what is allowed
   */
  public LeaseOptions {
    new Problems().leaseTerm("lease", duration, renewInterval).done(RefusedSettingsException::new);
  }

  /** A third of the hold, 10 s of 40 s: a request that hangs leaves time for two more tries. */
  Duration requestTimeout() {
    return holdFor().dividedBy(3);
  }

  /**
   * Renewals are sent on ticks, 200 ms apart with an interval of 10 s: the renewals of a thousand
   * nodes then leave 20 at a time, which share a wake-up, an encryption and a system call.
   */
  Duration tick() {
    return renewInterval.dividedBy(50);
  }

  /**
   * How long after the start of the last successful renewal this agent counts as the holder: three
   * quarters of the lease, 30 s of 40 s, so that it stops writing a quarter before another agent
   * may start.
   */
  Duration holdFor() {
    return duration.multipliedBy(3).dividedBy(4);
  }
}
