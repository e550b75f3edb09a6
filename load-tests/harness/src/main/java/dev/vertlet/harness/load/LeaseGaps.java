package dev.vertlet.harness.load;

import dev.vertlet.harness.measure.LatencyHistogram;
import dev.vertlet.harness.result.Latencies;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Measures the gaps between renewals of each lease, as a watch sees them, in phases that count.
 * Pure: takes the time in nanoseconds of one monotonic clock. Not thread-safe.
 */
final class LeaseGaps {
  private static final double NANOS_PER_MILLI = 1e6;

  /** Renewals per lease duration of a kubelet, KWOK and virtual-kubelet, whatever the duration. */
  private static final int RENEWALS_PER_LEASE = 4;

  private final Map<String, Long> lastRenewal = new HashMap<>();

  /** Ready nodes without a lease, with the time since when. */
  private final Map<String, Long> without = new HashMap<>();

  private final LatencyHistogram ended = new LatencyHistogram();
  private boolean counting;
  private long longestPaused;
  private boolean anySeen;

  /** Renew interval of the lease with the longest duration. */
  private long renewInterval;

  /** Records a Ready node: from now on it needs a lease. */
  void ready(String node, long nanos) {
    if (!lastRenewal.containsKey(node)) {
      without.putIfAbsent(node, nanos);
    }
  }

  /**
   * Records a new version of a lease.
   *
   * @param duration duration of the lease without another renewal
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

  /** Forgets a lease after it or its node was deleted. */
  void gone(String lease) {
    lastRenewal.remove(lease);
    without.remove(lease);
  }

  /** Names of all existing leases. */
  Set<String> leases() {
    return Set.copyOf(lastRenewal.keySet());
  }

  /** Starts a phase that counts; open gaps continue. */
  void count() {
    counting = true;
  }

  /** Starts a phase that does not count; keeps the gaps measured so far. */
  void pause(long nanos) {
    if (counting) {
      longestPaused = Math.max(longestPaused, longestOpen(nanos));
    }
    counting = false;
  }

  /**
   * Returns all gaps. The maximum includes the gap that is still open; otherwise a lease that is
   * never renewed again would not count. Before any gap has ended, the open one counts only once a
   * renewal is due. A node without a lease counts if other nodes have one: a subject that renews no
   * leases has no gaps.
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
