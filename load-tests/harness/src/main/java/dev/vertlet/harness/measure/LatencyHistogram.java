package dev.vertlet.harness.measure;

import dev.vertlet.harness.result.Latencies;
import dev.vertlet.harness.result.servicelevel.RequestKind;
import dev.vertlet.harness.result.servicelevel.RequestLatency;
import dev.vertlet.harness.result.servicelevel.Source;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Histogram of latencies in nanoseconds, exact to one part in a thousand. Its size depends on the
 * range of the values, not on their number. Not thread-safe.
 */
public final class LatencyHistogram {
  private static final int DIGITS = 3;
  private static final long NANOS_PER_MICRO = 1_000;
  private static final double MICROS_PER_MILLI = 1_000;

  /** Points of the curve for each halving of the remaining share: 10,000 values have about 70. */
  private static final int POINTS_PER_HALF = 5;

  private final Histogram micros = new Histogram(DIGITS);

  /** Records a latency. A negative one, which the clocks of a burst can produce, counts as 0. */
  public void record(long nanos) {
    micros.recordValue(Math.max(0, nanos) / NANOS_PER_MICRO);
  }

  /** Number of recorded latencies. */
  public long count() {
    return micros.getTotalCount();
  }

  /** Percentile in milliseconds; 0 without values. */
  public double percentile(double percentile) {
    return count() == 0 ? 0 : micros.getValueAtPercentile(percentile) / MICROS_PER_MILLI;
  }

  /** All of the distribution; {@link Latencies#NONE} without values. */
  public Latencies latencies() {
    if (count() == 0) {
      return Latencies.NONE;
    }
    return new Latencies(
        count(), percentile(50), percentile(90), percentile(99), percentile(100), curve());
  }

  /** Records all latencies of another histogram. */
  public void add(LatencyHistogram other) {
    micros.add(other.micros);
  }

  /** Forgets all latencies. */
  public void reset() {
    micros.reset();
  }

  /** Percentiles of one kind of request. */
  public RequestLatency of(RequestKind kind, Source source) {
    return new RequestLatency(
        kind, source, count(), percentile(50), percentile(90), percentile(99));
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
