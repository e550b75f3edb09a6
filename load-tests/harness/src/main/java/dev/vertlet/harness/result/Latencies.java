package dev.vertlet.harness.result;

import java.util.List;

/**
 * Distribution of latencies in milliseconds.
 *
 * @param count 0 without measurements; then all other values are 0, too
 * @param curve percentile curve for a chart, in ascending order
 */
public record Latencies(
    long count, double p50, double p90, double p99, double max, List<Point> curve) {
  public static final Latencies NONE = new Latencies(0, 0, 0, 0, 0, List.of());

  public Latencies {
    curve = List.copyOf(curve);
  }

  /**
   * Point of the curve.
   *
   * @param percentile 0 to 100
   */
  public record Point(double percentile, double millis) {}
}
