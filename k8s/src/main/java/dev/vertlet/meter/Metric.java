package dev.vertlet.meter;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Definition of a metric; docs/metrics.md is generated from it. All meters are created from a
 * definition, so each one is documented there with name, labels, unit and meaning. Definitions are
 * constants of the measuring class.
 *
 * <p>A meter has one value for each label, in the order of the labels; any other number of values
 * is an IllegalArgumentException. Meters with the same values are the same meter. May be used from
 * any thread.
 *
 * @param name in Prometheus' form, with the suffix of its type and unit
 * @param unit what is counted or measured, in the plural; empty if the value has no meaning
 * @param meaning completes the sentence that begins with the unit, without a full stop; Markdown
 */
public record Metric(Type type, String name, List<String> labels, String unit, String meaning) {

  /** Prometheus' metric types. */
  public enum Type {
    COUNTER,
    GAUGE,
    HISTOGRAM,
    SUMMARY;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static Metric counter(String name, String unit, String meaning, String... labels) {
    return new Metric(Type.COUNTER, name, List.of(labels), unit, meaning);
  }

  public static Metric gauge(String name, String unit, String meaning, String... labels) {
    return new Metric(Type.GAUGE, name, List.of(labels), unit, meaning);
  }

  public static Metric histogram(String name, String unit, String meaning, String... labels) {
    return new Metric(Type.HISTOGRAM, name, List.of(labels), unit, meaning);
  }

  public static Metric summary(String name, String unit, String meaning, String... labels) {
    return new Metric(Type.SUMMARY, name, List.of(labels), unit, meaning);
  }

  /** One sentence without Markdown: the HELP text of a scrape. */
  public String help() {
    String sentence = (unit + " " + meaning).strip().replace("`", "");
    return sentence.substring(0, 1).toUpperCase(Locale.ROOT) + sentence.substring(1);
  }

  public Counter counter(MeterRegistry registry, String... values) {
    expect(Type.COUNTER);
    return Counter.builder(name).description(help()).tags(tags(values)).register(registry);
  }

  /**
   * Creates a counter that reads its value from {@code counted}, which must not decrease; held
   * weakly.
   */
  public <T> FunctionCounter counter(
      MeterRegistry registry, T counted, ToDoubleFunction<T> value, String... values) {
    expect(Type.COUNTER);
    return FunctionCounter.builder(name, counted, value)
        .description(help())
        .tags(tags(values))
        .register(registry);
  }

  /**
   * Creates a gauge, which holds {@code value} strongly.
   *
   * @param value called on scraping threads
   */
  public Gauge gauge(MeterRegistry registry, Supplier<? extends Number> value, String... values) {
    expect(Type.GAUGE);
    // Prometheus' client removes the suffix "_info" from names; it later turns dots into
    // underscores
    String kept = name.replaceFirst("_info$", ".info");
    return Gauge.builder(kept, value::get)
        .description(help())
        .tags(tags(values))
        .register(registry);
  }

  /** Creates a histogram of durations in seconds. */
  public Timer timer(MeterRegistry registry, Duration[] buckets, String... values) {
    expect(Type.HISTOGRAM);
    return Timer.builder(name)
        .description(help())
        .tags(tags(values))
        .serviceLevelObjectives(buckets)
        .register(registry);
  }

  /** Creates a histogram of durations in seconds, with enough buckets for percentiles. */
  public Timer timer(MeterRegistry registry, String... values) {
    expect(Type.HISTOGRAM);
    return Timer.builder(name)
        .description(help())
        .tags(tags(values))
        .publishPercentileHistogram()
        .register(registry);
  }

  public DistributionSummary histogram(MeterRegistry registry, double[] buckets, String... values) {
    expect(Type.HISTOGRAM);
    return DistributionSummary.builder(name)
        .description(help())
        .tags(tags(values))
        .serviceLevelObjectives(buckets)
        .register(registry);
  }

  public DistributionSummary summary(MeterRegistry registry, String... values) {
    expect(Type.SUMMARY);
    return DistributionSummary.builder(name)
        .description(help())
        .tags(tags(values))
        .register(registry);
  }

  private void expect(Type wanted) {
    if (type != wanted) {
      throw new IllegalArgumentException(name + " is a " + type + ", not a " + wanted);
    }
  }

  private List<Tag> tags(String... values) {
    if (values.length != labels.size()) {
      throw new IllegalArgumentException(
          name + " has the labels " + labels + ", not " + values.length + " of them");
    }
    List<Tag> tags = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      tags.add(Tag.of(labels.get(i), values[i]));
    }
    return tags;
  }
}
