package dev.vertlet.harness.servicelevel;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Histogram in Prometheus' form: for each upper bound, the number of values up to it.
 *
 * @param buckets cumulative counts by upper bound, ascending; the last bound is infinite
 */
public record Histogram(SortedMap<Double, Double> buckets) {
  /** Histogram without values. */
  public static final Histogram EMPTY = new Histogram(new TreeMap<>());

  public Histogram {
    buckets = new TreeMap<>(buckets);
  }

  /** Number of values. */
  public double count() {
    Double all = buckets.get(Double.POSITIVE_INFINITY);
    return all == null ? 0 : all;
  }

  /** Adds the values of another histogram with the same bounds. */
  public Histogram plus(Histogram other) {
    TreeMap<Double, Double> sum = new TreeMap<>(buckets);
    other.buckets.forEach((bound, count) -> sum.merge(bound, count, Double::sum));
    return new Histogram(sum);
  }

  /**
   * Quantile by linear interpolation within its bucket, as Prometheus' {@code histogram_quantile}
   * computes it for classic histograms: values in the first bucket are assumed to start at 0, and a
   * quantile in the last, infinite one is the highest finite bound.
   *
   * @param quantile 0 to 1
   * @return in the unit of the bounds; NaN without values or without an infinite bound
   */
  public double quantile(double quantile) {
    double count = count();
    if (count == 0 || Double.isNaN(count) || buckets.size() < 2) {
      return Double.NaN;
    }
    double rank = quantile * count;
    double lowerBound = Double.NEGATIVE_INFINITY;
    double below = 0;
    for (Map.Entry<Double, Double> bucket : buckets.entrySet()) {
      double bound = bucket.getKey();
      // counts read while they rise may fall from one bound to the next by a few
      double upTo = Math.max(below, bucket.getValue());
      if (bound == Double.POSITIVE_INFINITY) {
        break;
      }
      if (upTo >= rank) {
        return within(lowerBound, bound, upTo - below, rank - below);
      }
      lowerBound = bound;
      below = upTo;
    }
    return lowerBound;
  }

  private static double within(double lower, double upper, double count, double rank) {
    if (lower == Double.NEGATIVE_INFINITY && upper <= 0) {
      return upper;
    }
    double start = lower == Double.NEGATIVE_INFINITY ? 0 : lower;
    return count == 0 ? start : start + (upper - start) * (rank / count);
  }
}
