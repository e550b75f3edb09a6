package dev.vertlet.harness.load;

import dev.vertlet.harness.result.Latencies;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The times between renewals of each lease, as a watch sees them, in phases that count. Pure: it is
 * told the time, in nanoseconds of one monotonic clock. Not thread-safe.
 */
final class LeaseGaps {
  private static final double NANOS_PER_MILLI = 1e6;

  /** A kubelet's, KWOK's and virtual-kubelet's, whatever the duration. */
  private static final int RENEWALS_PER_LEASE = 4;

  private final Map<String, Long> lastRenewal = new HashMap<>();

  /** Ready nodes that have no lease, and since when. */
  private final Map<String, Long> without = new HashMap<>();

  private final LatencyHistogram ended = new LatencyHistogram();
  private boolean counting;
  private long longestPaused;
  private boolean anySeen;

  /** Of the lease that lasts longest. */
  private long renewInterval;

  /** A node is Ready: from now on it has to have a lease. */
  void ready(String node, long nanos) {
    if (!lastRenewal.containsKey(node)) {
      without.putIfAbsent(node, nanos);
    }
  }

  /**
   * A lease has a new version.
   *
   * @param duration how long it is good without another
   */
  void renewed(String lease, long nanos, Duration duration) {
    anySeen = true;
    renewInterval = Math.max(renewInterval, duration.toNanos() / RENEWALS_PER_LEASE);
    without.remove(lease);
    Long before = lastRenewal.put(lease, nanos);
    if (before != null && counting) {
      ended.record(nanos - before);
    }
  }

  /** The lease is gone, or its node is. */
  void gone(String lease) {
    lastRenewal.remove(lease);
    without.remove(lease);
  }

  /** Names of all leases there are. */
  Set<String> leases() {
    return Set.copyOf(lastRenewal.keySet());
  }

  /** A phase that counts begins; a gap that has begun goes on. */
  void count() {
    counting = true;
  }

  /** A phase that does not count begins: what has been measured stays. */
  void pause(long nanos) {
    if (counting) {
      longestPaused = Math.max(longestPaused, longestOpen(nanos));
    }
    counting = false;
  }

  /**
   * All gaps, and as the maximum also the one that has not ended: a lease that is never renewed
   * again would else count for nothing. Where none has ended, that says something only once a
   * renewal is due. A node without a lease counts where others have one: of a subject that renews
   * none there are no gaps.
   */
  Latencies result(long nanos) {
    Latencies all = ended.latencies();
    long open = counting ? Math.max(longestPaused, longestOpen(nanos)) : longestPaused;
    if (all.count() == 0 && open < renewInterval) {
      return Latencies.NONE;
    }
    return new Latencies(
        all.count(),
        all.p50(),
        all.p90(),
        all.p99(),
        Math.max(all.max(), open / NANOS_PER_MILLI),
        all.curve());
  }

  private long longestOpen(long nanos) {
    long longest = 0;
    for (long last : lastRenewal.values()) {
      longest = Math.max(longest, nanos - last);
    }
    if (anySeen) {
      for (long since : without.values()) {
        longest = Math.max(longest, nanos - since);
      }
    }
    return longest;
  }
}
