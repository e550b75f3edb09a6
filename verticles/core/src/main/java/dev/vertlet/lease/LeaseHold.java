package dev.vertlet.lease;

import java.time.Duration;

/**
 * How long this agent may serve a node after a renewal of its lease, by the monotonic clock: as
 * long as the shortest lease that the server may have permits. Pure except for its own fields.
 */
final class LeaseHold {
  /** Settings of the last request. */
  private LeaseSettings sent;

  /** Settings with the shortest duration that the server's lease may have. */
  private LeaseSettings held;

  private long requestStart;
  private long lastRenewal;

  LeaseHold(LeaseSettings settings) {
    this.sent = settings;
    this.held = settings;
  }

  /**
   * A request with these settings begins.
   *
   * @param now monotonic nanoseconds
   */
  void requested(LeaseSettings settings, long now) {
    requestStart = now;
    sent = settings;
    held = shorter(sent, held); // the write may succeed even without an answer
  }

  /** The last request has renewed the lease; returns when it began, monotonic nanoseconds. */
  long renewed() {
    lastRenewal = requestStart;
    held = sent;
    return requestStart;
  }

  /** Whether the last request had these settings. */
  boolean isWith(LeaseSettings settings) {
    return sent.equals(settings);
  }

  /**
   * Returns the length of the hold.
   *
   * @param settings of the next request: until it is answered, only this agent knows them
   */
  Duration length(LeaseSettings settings) {
    return shorter(settings, held).options().holdFor();
  }

  /** Time until the hold ends; zero if it has ended. */
  Duration left(LeaseSettings settings, long now) {
    long left = length(settings).toNanos() - (now - lastRenewal);
    return Duration.ofNanos(Math.max(left, 0));
  }

  private static LeaseSettings shorter(LeaseSettings one, LeaseSettings other) {
    return one.duration().compareTo(other.duration()) < 0 ? one : other;
  }
}
