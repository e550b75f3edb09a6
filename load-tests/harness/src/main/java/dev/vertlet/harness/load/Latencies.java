package dev.vertlet.harness.load;

import org.HdrHistogram.Histogram;

/**
 * What a distribution of latencies comes to, in milliseconds.
 *
 * @param count 0 when nothing was measured; all others are 0 then
 */
public record Latencies(long count, double p50, double p90, double p99, double max) {
  private static final double MICROS_PER_MILLI = 1_000;

  /**
   * @param micros of microseconds
   */
  static Latencies of(Histogram micros) {
    return new Latencies(
        micros.getTotalCount(),
        micros.getValueAtPercentile(50) / MICROS_PER_MILLI,
        micros.getValueAtPercentile(90) / MICROS_PER_MILLI,
        micros.getValueAtPercentile(99) / MICROS_PER_MILLI,
        micros.getMaxValue() / MICROS_PER_MILLI);
  }

  /** A histogram of microseconds that grows as it needs to, exact to one part in a thousand. */
  static Histogram histogram() {
    return new Histogram(3);
  }
}
