package dev.vertlet.lease;

import java.time.Instant;

/**
 * Where one node's lease stands.
 *
 * <pre>
 * Unread ──read: free, expired or ours──▶ Taking ──written──▶ Held ──too long without renewal──▶ Unread
 *   ▲        └─read: another holder──▶ Foreign ──its expiry──▶ Unread        └──conflict──▶ Unread
 * </pre>
 */
sealed interface LeaseState {
  /** What the server holds is not known. */
  record Unread() implements LeaseState {}

  /** Read, or known to be absent, and free to be written. */
  record Taking(LeaseRecord lease, boolean absent) implements LeaseState {}

  /** Somebody else's until {@code expiry}. */
  record Foreign(String holder, Instant expiry) implements LeaseState {}

  /** Ours; {@code lease} is as last written. */
  record Held(LeaseRecord lease) implements LeaseState {}
}
