package dev.vertlet.simulated.rule;

import dev.vertlet.model.GoDuration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Rule for a duration: a constant, a distribution, or never.
 *
 * <p>A draw depends only on its 64 bits. It is in whole milliseconds, never negative and never
 * above {@link #LONGEST}.
 */
public sealed interface DurationRule {
  /** 100 years of 365 days: far beyond any test, and safe to add to any instant. */
  Duration LONGEST = Duration.ofHours(876_000);

  /** Result of a draw for an event that never happens. */
  long NEVER_MILLIS = Long.MAX_VALUE;

  DurationRule ZERO = new Constant(Duration.ZERO);
  DurationRule NEVER = new Never();

  /**
   * Draws milliseconds, or {@link #NEVER_MILLIS}.
   *
   * @param bits uniformly distributed bits from {@code Hash64}
   */
  long draw(long bits);

  record Constant(Duration value) implements DurationRule {
    public Constant {
      requireInRange("duration", value);
    }

    @Override
    public long draw(long bits) {
      return value.toMillis();
    }
  }

  /** Uniform distribution from {@code min} to {@code max}. */
  record Uniform(Duration min, Duration max) implements DurationRule {
    public Uniform {
      requireInRange("min", min);
      requireInRange("max", max);
      if (min.compareTo(max) > 0) {
        throw new IllegalArgumentException("min must not be above max, got " + min + " > " + max);
      }
    }

    @Override
    public long draw(long bits) {
      long span = max.toMillis() - min.toMillis();
      return min.toMillis() + Math.round(Hash64.unit(bits) * span);
    }
  }

  /** Normal distribution, cut off at zero. */
  record Normal(Duration mean, Duration deviation) implements DurationRule {
    public Normal {
      requireInRange("mean", mean);
      requireInRange("deviation", deviation);
    }

    @Override
    public long draw(long bits) {
      return clamp(mean.toMillis() + bell(bits) * deviation.toMillis());
    }
  }

  /**
   * Log-normal distribution, the usual shape of latencies: never below zero, most near the median,
   * and a long tail. Given by the median and the 99th percentile.
   */
  record LogNormal(Duration p50, Duration p99) implements DurationRule {
    /** 99th percentile of the standard normal distribution. */
    private static final double Z99 = 2.3263478740408408;

    public LogNormal {
      requireInRange("p50", p50);
      requireInRange("p99", p99);
      if (p50.toMillis() < 1 || p99.compareTo(p50) < 0) {
        throw new IllegalArgumentException(
            "p50 must be at least 1ms and p99 not below it, got "
                + GoDuration.format(p50)
                + " and "
                + GoDuration.format(p99));
      }
    }

    @Override
    public long draw(long bits) {
      double sigma = StrictMath.log((double) p99.toMillis() / p50.toMillis()) / Z99;
      return clamp(p50.toMillis() * StrictMath.exp(sigma * bell(bits)));
    }
  }

  /** Weighted choice of durations: a histogram of measured values. */
  record Empirical(List<Choice> choices) implements DurationRule {
    /**
     * @param millis milliseconds, or {@link #NEVER_MILLIS}
     * @param weight above 0
     */
    public record Choice(long millis, double weight) {
      public Choice {
        Weights.require(weight);
      }
    }

    public Empirical {
      choices = List.copyOf(choices);
    }

    @Override
    public long draw(long bits) {
      return choices
          .get(Weights.index(bits, choices.size(), i -> choices.get(i).weight()))
          .millis();
    }
  }

  /** Exponential distribution, as of intervals between independent events. */
  record Exponential(Duration mean) implements DurationRule {
    public Exponential {
      requireInRange("mean", mean);
    }

    @Override
    public long draw(long bits) {
      return clamp(-StrictMath.log(1 - Hash64.unit(bits)) * mean.toMillis());
    }
  }

  record Never() implements DurationRule {
    @Override
    public long draw(long bits) {
      return NEVER_MILLIS;
    }
  }

  /**
   * Parses {@code 10s}, {@code 5s..15s} (uniform), {@code normal(10s,2s)} (mean, deviation), {@code
   * lognormal(2s,20s)} (median, 99th percentile), {@code exponential(10s)} (mean), {@code
   * empirical(1s:80,5s:19,never:1)} (times with weights, 1 where there is none) or {@code never}.
   *
   * @throws IllegalArgumentException with a message that names the text and what is allowed
   */
  static DurationRule parse(String text) {
    if (text.equals("never")) {
      return NEVER;
    }
    int dots = text.indexOf("..");
    if (dots >= 0) {
      return new Uniform(
          GoDuration.parse(text.substring(0, dots)), GoDuration.parse(text.substring(dots + 2)));
    }
    int open = text.indexOf('(');
    if (open < 0 || !text.endsWith(")")) {
      return new Constant(GoDuration.parse(text));
    }
    String name = text.substring(0, open);
    List<String> arguments =
        List.of(text.substring(open + 1, text.length() - 1).split(",", -1)).stream()
            .map(String::strip)
            .toList();
    return name.equals("empirical")
        ? empirical(arguments)
        : distribution(text, name, arguments.stream().map(GoDuration::parse).toList());
  }

  private static DurationRule empirical(List<String> arguments) {
    List<Empirical.Choice> choices = new ArrayList<>();
    for (String argument : arguments) {
      int colon = argument.indexOf(':');
      String time = colon < 0 ? argument : argument.substring(0, colon).strip();
      double weight = colon < 0 ? 1 : Weights.parse(argument.substring(colon + 1).strip());
      long millis =
          time.equals("never") ? NEVER_MILLIS : new Constant(GoDuration.parse(time)).draw(0);
      choices.add(new Empirical.Choice(millis, weight));
    }
    return new Empirical(choices);
  }

  private static DurationRule distribution(String text, String name, List<Duration> arguments) {
    if (name.equals("normal") && arguments.size() == 2) {
      return new Normal(arguments.get(0), arguments.get(1));
    }
    if (name.equals("lognormal") && arguments.size() == 2) {
      return new LogNormal(arguments.get(0), arguments.get(1));
    }
    if (name.equals("exponential") && arguments.size() == 1) {
      return new Exponential(arguments.get(0));
    }
    throw new IllegalArgumentException(
        "\""
            + text
            + "\" is no distribution: want normal(mean,deviation), lognormal(p50,p99),"
            + " exponential(mean) or empirical(time:weight,...)");
  }

  /**
   * Draws from the standard normal distribution: Box-Muller, with StrictMath for the same result on
   * every JVM.
   */
  private static double bell(long bits) {
    double u = 1 - Hash64.unit(bits);
    double v = Hash64.unit(Hash64.of(bits, 1));
    return StrictMath.sqrt(-2 * StrictMath.log(u)) * StrictMath.cos(2 * Math.PI * v);
  }

  private static long clamp(double millis) {
    return Math.round(Math.max(0, Math.min(millis, (double) LONGEST.toMillis())));
  }

  private static void requireInRange(String what, Duration value) {
    if (value.isNegative() || value.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          what + " must be from 0 to " + LONGEST.toHours() + "h, got " + value);
    }
  }
}
