package dev.vertlet.harness.servicelevel;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * Values of series, either at one time or, for counters, their increase over a time.
 *
 * @param values values by series
 */
record MetricsSnapshot(Map<Series, Double> values) {
  static final MetricsSnapshot EMPTY = new MetricsSnapshot(Map.of());

  private static final String START = "process_start_time_seconds";

  MetricsSnapshot {
    values = Map.copyOf(values);
  }

  /**
   * When the process that answered was started, in seconds since 1970; empty if it does not tell.
   */
  OptionalDouble processStart() {
    Double start = values.get(new Series(START, List.of()));
    return start == null ? OptionalDouble.empty() : OptionalDouble.of(start);
  }

  /**
   * Increase of all counters since an earlier snapshot, as Prometheus' {@code increase} counts it,
   * but without extrapolation: after a start of the process, which set all counters to 0, the
   * values themselves. A series that is new since then began at 0.
   *
   * @param counters names of the counters
   */
  MetricsSnapshot since(MetricsSnapshot earlier, Predicate<String> counters) {
    boolean restarted =
        processStart().isPresent() && !processStart().equals(earlier.processStart());
    Map<Series, Double> increase = new HashMap<>();
    values.forEach(
        (series, value) -> {
          if (counters.test(series.name())) {
            double before = restarted ? 0 : earlier.values.getOrDefault(series, 0.0);
            increase.put(series, value >= before ? value - before : value);
          }
        });
    return new MetricsSnapshot(increase);
  }

  /** Adds the values of all series. */
  MetricsSnapshot plus(MetricsSnapshot other) {
    Map<Series, Double> sum = new HashMap<>(values);
    other.values.forEach((series, value) -> sum.merge(series, value, Double::sum));
    return new MetricsSnapshot(sum);
  }

  /** Sum of all series of a name; 0 for none. */
  double sum(String name) {
    return sum(name, labels -> true);
  }

  /** Sum of the series of a name whose labels are wanted; 0 for none. */
  double sum(String name, Predicate<List<String>> wanted) {
    return values.entrySet().stream()
        .filter(entry -> entry.getKey().name().equals(name) && wanted.test(entry.getKey().labels()))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  boolean has(String name) {
    return values.keySet().stream().anyMatch(series -> series.name().equals(name));
  }

  /** Calls the consumer for each series of a name. */
  void each(String name, BiConsumer<List<String>, Double> consumer) {
    values.forEach(
        (series, value) -> {
          if (series.name().equals(name)) {
            consumer.accept(series.labels(), value);
          }
        });
  }

  /**
   * Histograms of a family by their labels other than the bound.
   *
   * @param histogram name without {@code _bucket}
   */
  Map<List<String>, Histogram> histograms(String histogram) {
    Map<List<String>, SortedMap<Double, Double>> buckets = new HashMap<>();
    each(
        histogram + "_bucket",
        (labels, count) -> {
          int bound = labels.size() - 1;
          buckets
              .computeIfAbsent(List.copyOf(labels.subList(0, bound)), key -> new TreeMap<>())
              .merge(MetricsText.number(labels.get(bound)), count, Double::sum);
        });
    Map<List<String>, Histogram> histograms = new HashMap<>();
    buckets.forEach((labels, counts) -> histograms.put(labels, new Histogram(counts)));
    return histograms;
  }

  /** All histograms of a family together. */
  Histogram histogram(String histogram) {
    return histograms(histogram).values().stream().reduce(Histogram.EMPTY, Histogram::plus);
  }
}
