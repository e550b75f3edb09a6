package dev.vertlet.lease;

import java.time.Duration;

/**
 * How long this agent may serve a node after a renewal of its lease, by the monotonic clock: as
 * long as the shortest lease that the server may have permits. Pure except for its own fields.
 */
final class LeaseHold {
  /** Options of the last request. */
  private LeaseOptions sent;

  /** Options with the shortest duration that the server's lease may have. */
  private LeaseOptions held;

  private long requestStart;
  private long lastRenewal;

  LeaseHold(LeaseOptions options) {
    this.sent = options;
    this.held = options;
  }

  /**
   * A request with these options begins.
   *
   * @param now monotonic nanoseconds
   */
  void requested(LeaseOptions options, long now) {
    requestStart = now;
    sent = options;
    held = shorter(sent, held); // the write may succeed even without an answer
  }

  /** The last request has renewed the lease; returns when it began, monotonic nanoseconds. */
  long renewed() {
    lastRenewal = requestStart;
    held = sent;
    return requestStart;
  }

  /** Whether the last request had these options. */
  boolean isWith(LeaseOptions options) {
    return sent.equals(options);
  }

  /**
   * Returns the length of the hold.
   *
   * @param options of the next request: until it is answered, only this agent knows them
   */
  Duration length(LeaseOptions options) {
    return shorter(options, held).holdFor();
  }

  /** Time until the hold ends; zero if it has ended. */
  Duration left(LeaseOptions options, long now) {
    long left = length(options).toNanos() - (now - lastRenewal);
    return Duration.ofNanos(Math.max(left, 0));
  }

  private static LeaseOptions shorter(LeaseOptions one, LeaseOptions other) {
    return one.duration().compareTo(other.duration()) < 0 ? one : other;
  }
}
