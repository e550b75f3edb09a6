package dev.vertlet.harness.servicelevel;

import java.util.ArrayList;
import java.util.List;

/**
 * Metric to read.
 *
 * @param name name in the text, for histograms with {@code _bucket}
 * @param counter whether it only rises, except when its process starts again
 * @param labels labels that are kept; series that differ in others alone are added up
 */
record MetricFamily(String name, boolean counter, List<String> labels) {
  /** Label of a bucket's upper bound; the last one of every histogram. */
  private static final String BOUND = "le";

  static MetricFamily counter(String name, String... labels) {
    return new MetricFamily(name, true, List.of(labels));
  }

  static MetricFamily gauge(String name, String... labels) {
    return new MetricFamily(name, false, List.of(labels));
  }

  /** Buckets of a histogram. */
  static MetricFamily histogram(String name, String... labels) {
    List<String> kept = new ArrayList<>(List.of(labels));
    kept.add(BOUND);
    return new MetricFamily(name + "_bucket", true, List.copyOf(kept));
  }
}
