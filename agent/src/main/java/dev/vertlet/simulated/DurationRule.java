package dev.vertlet.simulated;

import dev.vertlet.model.GoDuration;
import java.time.Duration;
import java.util.List;

/**
 * How long something takes: a constant, a distribution to draw from, or never.
 *
 * <p>A draw is a pure function of its 64 bits, in whole milliseconds, never negative and never
 * above {@link #LONGEST}.
 */
public sealed interface DurationRule {
  /** 100 years of 365 days: far beyond any test, and safe to add to any instant. */
  Duration LONGEST = Duration.ofHours(876_000);

  /** What a draw returns for something that does not happen. */
  long NEVER_MILLIS = Long.MAX_VALUE;

  DurationRule ZERO = new Constant(Duration.ZERO);
  DurationRule NEVER = new Never();

  /**
   * Milliseconds for these bits, or {@link #NEVER_MILLIS}.
   *
   * @param bits uniformly distributed, as {@code Hash64} makes them
   */
  long draw(long bits);

  /** Always the same time. */
  record Constant(Duration value) implements DurationRule {
    public Constant {
      requireInRange("duration", value);
    }

    @Override
    public long draw(long bits) {
      return value.toMillis();
    }
  }

  /** Any time from {@code min} to {@code max}, all equally likely. */
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

  /** The bell curve, cut off at zero. */
  record Normal(Duration mean, Duration deviation) implements DurationRule {
    public Normal {
      requireInRange("mean", mean);
      requireInRange("deviation", deviation);
    }

    @Override
    public long draw(long bits) {
      // Box-Muller, with StrictMath so that every JVM draws the same
      double u = 1 - Hash64.unit(bits);
      double v = Hash64.unit(Hash64.of(bits, 1));
      double bell = StrictMath.sqrt(-2 * StrictMath.log(u)) * StrictMath.cos(2 * Math.PI * v);
      return clamp(mean.toMillis() + bell * deviation.toMillis());
    }
  }

  /** Waiting times of independent events: mostly short, now and then long. */
  record Exponential(Duration mean) implements DurationRule {
    public Exponential {
      requireInRange("mean", mean);
    }

    @Override
    public long draw(long bits) {
      return clamp(-StrictMath.log(1 - Hash64.unit(bits)) * mean.toMillis());
    }
  }

  /** Does not happen. */
  record Never() implements DurationRule {
    @Override
    public long draw(long bits) {
      return NEVER_MILLIS;
    }
  }

  /**
   * Reads {@code 10s}, {@code 5s..15s} (uniform), {@code normal(10s,2s)} (mean, deviation), {@code
   * exponential(10s)} (mean) or {@code never}.
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
    return open < 0 || !text.endsWith(")")
        ? new Constant(GoDuration.parse(text))
        : distribution(text, text.substring(0, open), arguments(text, open));
  }

  private static List<Duration> arguments(String text, int open) {
    return List.of(text.substring(open + 1, text.length() - 1).split(",", -1)).stream()
        .map(String::strip)
        .map(GoDuration::parse)
        .toList();
  }

  private static DurationRule distribution(String text, String name, List<Duration> arguments) {
    if (name.equals("normal") && arguments.size() == 2) {
      return new Normal(arguments.get(0), arguments.get(1));
    }
    if (name.equals("exponential") && arguments.size() == 1) {
      return new Exponential(arguments.get(0));
    }
    throw new IllegalArgumentException(
        "\"" + text + "\" is no distribution: want normal(mean,deviation) or exponential(mean)");
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
