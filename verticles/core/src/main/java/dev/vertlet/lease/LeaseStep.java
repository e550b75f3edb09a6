package dev.vertlet.lease;

import java.time.Duration;

/** What a {@link NodeLease} decides. */
sealed interface LeaseStep {
  record Read() implements LeaseStep {}

  /** Create {@code lease}, which does not exist. */
  record Create(LeaseRecord lease) implements LeaseStep {}

  /** Replace the version of the lease that {@code lease} contains. */
  record Update(LeaseRecord lease) implements LeaseStep {}

  /** Write {@code lease}, which belongs to another agent from then on. */
  record HandOver(LeaseRecord lease) implements LeaseStep {}

  /** Do nothing before {@code delay} has passed. */
  record Wait(Duration delay) implements LeaseStep {}

  /** Do nothing before an event: a request's answer, a ping, or a turn. */
  record Idle() implements LeaseStep {}
}
