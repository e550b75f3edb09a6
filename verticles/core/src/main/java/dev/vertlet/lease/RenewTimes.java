package dev.vertlet.lease;

import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

/**
 * The {@code renewTime}s of one lease: those that this process has written, and the latest of all.
 * Pure except for its own fields.
 */
final class RenewTimes {
  /** Of the last successful write of this process and of later attempts. */
  private final Set<String> own = new HashSet<>();

  private Instant latest = Instant.EPOCH;
  private boolean backdated;

  /** A read found this lease, which is to be written next. */
  void found(LeaseRecord lease) {
    atLeast(lease.renewed());
  }

  /** This lease is being written; the write may succeed even without an answer. */
  void attempted(LeaseRecord lease) {
    own.add(lease.renewTime());
    Instant time = lease.renewed();
    backdated = !time.isAfter(latest);
    atLeast(time);
  }

  private void atLeast(Instant time) {
    latest = time.isAfter(latest) ? time : latest;
  }

  /** The write of this lease has succeeded: earlier attempts no longer matter. */
  void written(LeaseRecord lease) {
    own.clear();
    own.add(lease.renewTime());
  }

  /** This process no longer holds the lease. */
  void givenUp() {
    own.clear();
  }

  /**
   * Whether another process has renewed the lease under this agent's identity since this process
   * did. A starting agent takes the lease of its own identity immediately, as its predecessor may
   * be dead; a living predecessor detects this here and leaves the node to its successor.
   */
  boolean hasTwin(LeaseRecord lease) {
    return !own.isEmpty() && !own.contains(lease.renewTime());
  }

  /**
   * Whether the last attempt's {@code renewTime} is not later than an earlier one, because the
   * machine's clock was set back. Kubernetes' node controller ignores such a renewal. A {@code
   * renewTime} in the future would count, but would keep other agents from taking the lease over.
   */
  boolean backdated() {
    return backdated;
  }

  /** Latest {@code renewTime} that the lease has had, as far as this process knows. */
  Instant latest() {
    return latest;
  }
}
