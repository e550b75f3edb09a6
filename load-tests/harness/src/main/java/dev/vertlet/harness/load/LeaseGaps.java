package dev.vertlet.harness.load;

import java.util.HashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * The times between renewals of each lease, as a watch sees them. Pure: it is told the time, in
 * nanoseconds of one monotonic clock. Not thread-safe.
 */
final class LeaseGaps {
  private final Map<String, Long> lastRenewal = new HashMap<>();
  private final Histogram micros = Latencies.histogram();

  void renewed(String lease, long nanos) {
    Long before = lastRenewal.put(lease, nanos);
    if (before != null) {
      micros.recordValue((nanos - before) / 1_000);
    }
  }

  void gone(String lease) {
    lastRenewal.remove(lease);
  }

  /**
   * All gaps, and as the maximum also the one that has not ended: a lease that is never renewed
   * again would else count for nothing.
   */
  Latencies result(long nanos) {
    Latencies ended = Latencies.of(micros);
    double open =
        lastRenewal.values().stream().mapToLong(last -> nanos - last).max().orElse(0) / 1e6;
    return new Latencies(
        ended.count(), ended.p50(), ended.p90(), ended.p99(), Math.max(ended.max(), open));
  }
}
