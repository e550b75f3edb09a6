package dev.vertlet.harness.load;

import dev.vertlet.harness.result.Latencies;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Histogram of latencies in nanoseconds, exact to one part in a thousand. Its size depends on the
 * range of the values, not on their number. Not thread-safe.
 */
final class LatencyHistogram {
  private static final int DIGITS = 3;
  private static final long NANOS_PER_MICRO = 1_000;
  private static final double MICROS_PER_MILLI = 1_000;

  /** Points of the curve for each halving of the remaining share: 10,000 values have about 70. */
  private static final int POINTS_PER_HALF = 5;

  private final Histogram micros = new Histogram(DIGITS);

  /** Records a latency. A negative one, which the clocks of a burst can produce, counts as 0. */
  void record(long nanos) {
    micros.recordValue(Math.max(0, nanos) / NANOS_PER_MICRO);
  }

  long count() {
    return micros.getTotalCount();
  }

  /** Percentile in milliseconds; 0 without values. */
  double percentile(double percentile) {
    return count() == 0 ? 0 : micros.getValueAtPercentile(percentile) / MICROS_PER_MILLI;
  }

  Latencies latencies() {
    if (count() == 0) {
      return Latencies.NONE;
    }
    return new Latencies(
        count(), percentile(50), percentile(90), percentile(99), percentile(100), curve());
  }

  private List<Latencies.Point> curve() {
    List<Latencies.Point> points = new ArrayList<>();
    for (HistogramIterationValue value : micros.percentiles(POINTS_PER_HALF)) {
      points.add(
          new Latencies.Point(
              value.getPercentileLevelIteratedTo(), value.getValueIteratedTo() / MICROS_PER_MILLI));
    }
    return points;
  }
}
