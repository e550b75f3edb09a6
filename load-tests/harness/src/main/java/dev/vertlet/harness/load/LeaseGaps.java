package dev.vertlet.harness.load;

import dev.vertlet.harness.result.Latencies;
import java.util.HashMap;
import java.util.Map;

/**
 * The times between renewals of each lease, as a watch sees them. Pure: it is told the time, in
 * nanoseconds of one monotonic clock. Not thread-safe.
 */
final class LeaseGaps {
  private static final double NANOS_PER_MILLI = 1e6;

  private final Map<String, Long> lastRenewal = new HashMap<>();
  private final LatencyHistogram ended = new LatencyHistogram();

  void renewed(String lease, long nanos) {
    Long before = lastRenewal.put(lease, nanos);
    if (before != null) {
      ended.record(nanos - before);
    }
  }

  void gone(String lease) {
    lastRenewal.remove(lease);
  }

  /** What has ended counts no more; a gap that has begun goes on. */
  void forget() {
    ended.clear();
  }

  /**
   * All gaps, and as the maximum also the one that has not ended: a lease that is never renewed
   * again would else count for nothing.
   */
  Latencies result(long nanos) {
    Latencies all = ended.latencies();
    double open =
        lastRenewal.values().stream().mapToLong(last -> nanos - last).max().orElse(0)
            / NANOS_PER_MILLI;
    return new Latencies(
        all.count(), all.p50(), all.p90(), all.p99(), Math.max(all.max(), open), all.curve());
  }
}
