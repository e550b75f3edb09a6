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
 * A metric as people are told of it. All meters are made by one of these, and docs/metrics.md is
 * written from them: none can be without a name, labels, a unit and a meaning there. They are
 * constants of the class that measures.
 *
 * <p>A label has one value for each meter, in the order of the labels; another number of values is
 * an IllegalArgumentException. Meters of the same values are the same meter. May be used from any
 * thread.
 *
 * @param name in Prometheus' form, with the end that it asks for
 * @param unit what is counted or measured, in the plural; empty where the value means nothing
 * @param meaning ends the sentence that the unit begins, without a full stop; Markdown
 */
public record Metric(Type type, String name, List<String> labels, String unit, String meaning) {

  /** What Prometheus calls it. */
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

  /** One sentence without Markdown: the HELP of a scrape. */
  public String help() {
    String sentence = (unit + " " + meaning).strip().replace("`", "");
    return sentence.substring(0, 1).toUpperCase(Locale.ROOT) + sentence.substring(1);
  }

  public Counter counter(MeterRegistry registry, String... values) {
    expect(Type.COUNTER);
    return Counter.builder(name).description(help()).tags(tags(values)).register(registry);
  }

  /** A counter that asks for its value, which must not fall, for as long as somebody holds it. */
  public <T> FunctionCounter counter(
      MeterRegistry registry, T counted, ToDoubleFunction<T> value, String... values) {
    expect(Type.COUNTER);
    return FunctionCounter.builder(name, counted, value)
        .description(help())
        .tags(tags(values))
        .register(registry);
  }

  /**
   * A gauge, which holds what it asks for its value.
   *
   * @param value asked on threads of scrapes
   */
  public Gauge gauge(MeterRegistry registry, Supplier<? extends Number> value, String... values) {
    expect(Type.GAUGE);
    // Prometheus' client takes the end of names in "_info", and makes underscores of dots later
    String kept = name.replaceFirst("_info$", ".info");
    return Gauge.builder(kept, value::get)
        .description(help())
        .tags(tags(values))
        .register(registry);
  }

  /** A histogram of times in seconds. */
  public Timer timer(MeterRegistry registry, Duration[] buckets, String... values) {
    expect(Type.HISTOGRAM);
    return Timer.builder(name)
        .description(help())
        .tags(tags(values))
        .serviceLevelObjectives(buckets)
        .register(registry);
  }

  /** A histogram of times in seconds, with so many buckets that percentiles can be told. */
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
