package dev.vertlet.harness.result;

import java.util.List;

/**
 * A distribution of latencies, in milliseconds.
 *
 * @param count 0 when nothing was measured; all others are 0 then
 * @param curve the whole of it, in ascending order of percentiles, for a chart
 */
public record Latencies(
    long count, double p50, double p90, double p99, double max, List<Point> curve) {
  public static final Latencies NONE = new Latencies(0, 0, 0, 0, 0, List.of());

  public Latencies {
    curve = List.copyOf(curve);
  }

  /**
   * So much of all is no slower than that.
   *
   * @param percentile 0 to 100
   */
  public record Point(double percentile, double millis) {}
}
