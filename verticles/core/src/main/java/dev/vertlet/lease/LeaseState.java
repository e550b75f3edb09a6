package dev.vertlet.lease;

import java.time.Instant;

/**
 * State of one node's lease.
 *
 * <pre>
 * Unread ──read: free, expired or ours──▶ Taking ──written──▶ Held ──too long without renewal──▶ Unread
 *   ▲        └─read: another holder──▶ Foreign ──its expiry──▶ Unread        └──conflict──▶ Unread
 * </pre>
 */
sealed interface LeaseState {
  /** The lease on the server is unknown. */
  record Unread() implements LeaseState {}

  /** The lease was read, or is known to be absent, and may be written. */
  record Taking(LeaseRecord lease, boolean absent) implements LeaseState {}

  /** Another client holds the lease until {@code expiry}. */
  record Foreign(String holder, Instant expiry) implements LeaseState {}

  /** This agent holds the lease; {@code lease} is the version written last. */
  record Held(LeaseRecord lease) implements LeaseState {}
}
