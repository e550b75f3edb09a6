package dev.vertlet.lease;

import java.time.Duration;

/**
 * Settings of node leases.
 *
 * @param identity of this agent, written into the annotation {@code vertlet.dev/agent}
 * @param duration validity of a lease without renewal, whole seconds, 1 s or more; kubelets use 40
 *     s
 * @param renewInterval time from the start of one renewal to the start of the next, at most half of
 *     {@code duration}; kubelets use a quarter
 * @param pingValidity validity of an answered ping of the provider; longer than the time to the
 *     next answer
 */
public record LeaseOptions(
    String identity, Duration duration, Duration renewInterval, Duration pingValidity) {
  public LeaseOptions {
    if (identity.isBlank()) {
      throw new IllegalArgumentException("agent.identity must not be empty");
    }
    if (duration.toSeconds() < 1) {
      throw new IllegalArgumentException("lease.duration must be at least 1s, got " + duration);
    }
    if (renewInterval.isNegative() || renewInterval.isZero()) {
      throw new IllegalArgumentException(
          "lease.renewInterval must be above 0, got " + renewInterval);
    }
    if (renewInterval.multipliedBy(2).compareTo(duration) > 0) {
      throw new IllegalArgumentException(
          "lease.renewInterval must be at most half of lease.duration "
              + duration
              + ", got "
              + renewInterval);
    }
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

  /** Returns options of the same agent with other times. */
  LeaseOptions with(Duration otherDuration, Duration otherInterval, Duration otherValidity) {
    return new LeaseOptions(identity, otherDuration, otherInterval, otherValidity);
  }
}
