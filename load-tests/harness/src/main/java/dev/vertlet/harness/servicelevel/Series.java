package dev.vertlet.harness.servicelevel;

import java.util.List;

/**
 * One series of a metric, reduced to some of its labels.
 *
 * @param name name in the text, for histograms with {@code _bucket}
 * @param labels values of the labels that {@link MetricFamily} keeps, in its order
 */
record Series(String name, List<String> labels) {
  Series {
    labels = List.copyOf(labels);
  }
}
