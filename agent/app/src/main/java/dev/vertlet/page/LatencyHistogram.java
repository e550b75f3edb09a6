package dev.vertlet.page;

import java.util.Arrays;

/**
 * Histogram of durations in buckets of 3 % width: 1 µs to 12 days in 5 KiB. Uses no clock; confined
 * to its owner's context.
 */
final class LatencyHistogram {
  /** Buckets per power of two. */
  private static final int PARTS = 32;

  private static final int BITS = 5;
  private static final int POWERS = 36;

  private final int[] counts = new int[PARTS * POWERS];
  private long count;
  private long max;

  /**
   * @param micros counts as 0 when it is negative
   */
  void record(long micros) {
    long value = Math.max(0, micros);
    counts[index(value)]++;
    count++;
    max = Math.max(max, value);
  }

  void add(LatencyHistogram other) {
    for (int i = 0; i < counts.length; i++) {
      counts[i] += other.counts[i];
    }
    count += other.count;
    max = Math.max(max, other.max);
  }

  void clear() {
    Arrays.fill(counts, 0);
    count = 0;
    max = 0;
  }

  long count() {
    return count;
  }

  /** Returns the exact maximum; 0 when empty. */
  long max() {
    return max;
  }

  /**
   * Returns a percentile in microseconds, at most 3 % too high; 0 when empty.
   *
   * @param percent 0 to 100
   */
  long percentile(double percent) {
    long rank = Math.max(1, (long) Math.ceil(count * percent / 100));
    long seen = 0;
    for (int i = 0; i < counts.length; i++) {
      seen += counts[i];
      if (seen >= rank) {
        return Math.min(max, top(i));
      }
    }
    return max;
  }

  private static int index(long value) {
    if (value < PARTS) {
      return (int) value;
    }
    int power = 63 - Long.numberOfLeadingZeros(value);
    int part = (int) (value >>> (power - BITS)) & (PARTS - 1);
    return Math.min(PARTS * POWERS - 1, (power - BITS + 1) * PARTS + part);
  }

  /** Returns the largest value of a bucket. */
  private static long top(int index) {
    if (index < PARTS) {
      return index;
    }
    int power = index / PARTS + BITS - 1;
    long width = 1L << (power - BITS);
    return (PARTS + index % PARTS + 1) * width - 1;
  }
}
