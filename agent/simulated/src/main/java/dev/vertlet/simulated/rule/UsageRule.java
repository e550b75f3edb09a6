package dev.vertlet.simulated.rule;

import dev.vertlet.model.GoDuration;
import dev.vertlet.model.resource.Quantities;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Resource usage of a running container over time: bytes, or billionths of a core.
 *
 * <p>Usage depends only on the time. Accumulated usage therefore needs no state, is exact to the
 * last digits of a {@code double}, never decreases, and is the same after a restart of the agent.
 * Times are epoch milliseconds.
 */
public sealed interface UsageRule {
  UsageRule NOTHING = new Constant(new Level(0));

  /**
   * Resolves the rule for one instance: converts shares to amounts and draws the random values.
   * Returns this rule when it has neither.
   *
   * @param request base of shares; 0 for a container without a request
   * @param bits uniformly distributed bits from {@code Hash64}
   */
  UsageRule resolve(long request, long bits);

  /** Returns the amount at {@code now}; only for a {@linkplain #resolve resolved} rule. */
  long at(long startedAt, long now);

  /**
   * Returns the amount times the seconds from {@code startedAt} to {@code now}; 0 when {@code now}
   * is earlier. For billionths of a core this is nanoseconds of CPU time. Only for a resolved rule.
   */
  long total(long startedAt, long now);

  /**
   * Amount, or share of the container's request.
   *
   * @param amount 0 or more
   * @param share 0 or more; NaN for an amount
   */
  record Level(long amount, double share) {
    private static final Pattern SHARE = Pattern.compile("[0-9]{1,6}(\\.[0-9]{1,6})?%");

    public Level(long amount) {
      this(amount, Double.NaN);
    }

    static Level parse(String text, boolean cpu) {
      if (SHARE.matcher(text).matches()) {
        return new Level(0, Double.parseDouble(text.substring(0, text.length() - 1)) / 100);
      }
      try {
        Quantities.parseNotNegative("usage", text);
        return new Level(cpu ? Quantities.nano(text) : Quantities.units(text));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            ("\"%s\" is not an amount: must be a quantity from 0 up, such as %s, or a share of the"
                    + " request, such as 50%%")
                .formatted(text, cpu ? "200m" : "200Mi"),
            e);
      }
    }

    boolean resolved() {
      return Double.isNaN(share);
    }

    Level resolve(long request) {
      return resolved() ? this : new Level(Math.round(share * request));
    }
  }

  record Constant(Level level) implements UsageRule {
    @Override
    public UsageRule resolve(long request, long bits) {
      return level.resolved() ? this : new Constant(level.resolve(request));
    }

    @Override
    public long at(long startedAt, long now) {
      return level.amount;
    }

    @Override
    public long total(long startedAt, long now) {
      return seconds(level.amount, now - startedAt);
    }
  }

  /** Constant usage of one instance, drawn between {@code low} and {@code high}. */
  record Drawn(Level low, Level high) implements UsageRule {
    @Override
    public UsageRule resolve(long request, long bits) {
      long from = low.resolve(request).amount;
      long to = high.resolve(request).amount;
      return new Constant(new Level(from + Math.round(Hash64.unit(bits) * (to - from))));
    }

    @Override
    public long at(long startedAt, long now) {
      throw new IllegalStateException("not drawn yet");
    }

    @Override
    public long total(long startedAt, long now) {
      throw new IllegalStateException("not drawn yet");
    }
  }

  /**
   * Sine wave between {@code low} and {@code high}, like a daily load and the same for all
   * containers: lowest at every multiple of the period since the epoch, highest half a period
   * later.
   *
   * @param period milliseconds
   */
  record Sine(Level low, Level high, long period) implements UsageRule {
    /** Steps per period: a staircase, so that accumulated usage is a sum. */
    static final int STEPS = 96;

    /** Accumulated height above {@code low} up to each step; the whole period is 1. */
    private static final double[] UP_TO = new double[STEPS + 1];

    static {
      for (int i = 0; i < STEPS; i++) {
        UP_TO[i + 1] = UP_TO[i] + height(i);
      }
      double all = UP_TO[STEPS];
      for (int i = 0; i <= STEPS; i++) {
        UP_TO[i] /= all;
      }
    }

    /** Returns a step's height above {@code low}, from 0 to 1; the mean of all is one half. */
    private static double height(int step) {
      return (1 - StrictMath.cos(2 * Math.PI * step / STEPS)) / 2;
    }

    @Override
    public UsageRule resolve(long request, long bits) {
      return low.resolved() && high.resolved()
          ? this
          : ordered(low.resolve(request), high.resolve(request), period);
    }

    /** Orders the levels; shares and amounts are comparable only once the request is known. */
    private static UsageRule ordered(Level low, Level high, long period) {
      return new Sine(low, new Level(Math.max(low.amount, high.amount)), period);
    }

    @Override
    public long at(long startedAt, long now) {
      int step = (int) (place(now) * STEPS);
      return low.amount + Math.round(height(step) * (high.amount - low.amount));
    }

    /** Returns the position of a time in its period, from 0 to below 1. */
    private double place(long now) {
      return Math.floorMod(now, period) / (double) period;
    }

    @Override
    public long total(long startedAt, long now) {
      if (now <= startedAt) {
        return 0;
      }
      long periods = Math.floorDiv(now, period) - Math.floorDiv(startedAt, period);
      double whole = (high.amount - low.amount) / 2.0 * period / 1000;
      // each operation is monotonic, so the sum never decreases: each part is rounded on its own
      long above = periods * Math.round(whole) + part(whole, now) - part(whole, startedAt);
      return seconds(low.amount, now - startedAt) + above;
    }

    private long part(double whole, long time) {
      double steps = place(time) * STEPS;
      int step = (int) steps;
      double done = UP_TO[step] + (UP_TO[step + 1] - UP_TO[step]) * (steps - step);
      return Math.min(Math.round(whole * done), Math.round(whole));
    }
  }

  /**
   * Linear change from one amount to the other after the container's start, then constant.
   *
   * @param millis duration of the change, above 0
   */
  record Ramp(Level from, Level to, long millis) implements UsageRule {
    @Override
    public UsageRule resolve(long request, long bits) {
      return from.resolved() && to.resolved()
          ? this
          : new Ramp(from.resolve(request), to.resolve(request), millis);
    }

    @Override
    public long at(long startedAt, long now) {
      return from.amount + Math.round(done(startedAt, now) * (to.amount - from.amount));
    }

    private double done(long startedAt, long now) {
      return Math.max(0, Math.min(1, (now - startedAt) / (double) millis));
    }

    @Override
    public long total(long startedAt, long now) {
      double done = done(startedAt, now);
      boolean up = to.amount >= from.amount;
      // area of a triangle, computed so that each operation is monotonic
      double area = up ? done * done / 2 : (1 - (1 - done) * (1 - done)) / 2;
      long slope = Math.round((double) Math.abs(to.amount - from.amount) * millis / 1000 * area);
      long least = Math.min(from.amount, to.amount);
      long beyond = up ? seconds(to.amount - from.amount, now - startedAt - millis) : 0;
      return seconds(least, now - startedAt) + slope + beyond;
    }
  }

  private static long seconds(long amount, long millis) {
    if (millis <= 0) {
      return 0;
    }
    long whole = millis / 1000;
    long high = Math.multiplyHigh(amount, whole);
    long low = amount * whole;
    return high != 0 || low < 0
        ? Long.MAX_VALUE
        : saturated(low, (long) (amount / 1000.0 * (millis % 1000)));
  }

  private static long saturated(long a, long b) {
    return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
  }

  /**
   * Parses {@code 200m}, {@code 50%} (of the request), {@code 100m..300m} (each instance draws
   * one), {@code sine(100m,900m,24h)} (lowest, highest, period) or {@code ramp(10%,90%,5m)} (first,
   * last, time from the start).
   *
   * @param cpu whether amounts are cores instead of bytes
   * @throws IllegalArgumentException with a message that names the text and what is allowed
   */
  static UsageRule parse(String text, boolean cpu) {
    int dots = text.indexOf("..");
    if (dots >= 0) {
      Level low = Level.parse(text.substring(0, dots), cpu);
      Level high = Level.parse(text.substring(dots + 2), cpu);
      requireOrder(text, low, high);
      return new Drawn(low, high);
    }
    int open = text.indexOf('(');
    if (open < 0 || !text.endsWith(")")) {
      return new Constant(Level.parse(text, cpu));
    }
    String name = text.substring(0, open);
    List<String> arguments =
        List.of(text.substring(open + 1, text.length() - 1).split(",", -1)).stream()
            .map(String::strip)
            .toList();
    if (arguments.size() != 3 || !(name.equals("sine") || name.equals("ramp"))) {
      throw new IllegalArgumentException(
          "\""
              + text
              + "\" is no curve: want sine(lowest,highest,period) or ramp(first,last,time)");
    }
    Level first = Level.parse(arguments.get(0), cpu);
    Level second = Level.parse(arguments.get(1), cpu);
    long millis = millis(arguments.get(2));
    if (name.equals("ramp")) {
      return new Ramp(first, second, millis);
    }
    requireOrder(text, first, second);
    return new Sine(first, second, millis);
  }

  private static void requireOrder(String text, Level low, Level high) {
    boolean comparable = low.resolved() == high.resolved();
    if (comparable && (low.amount > high.amount || low.share > high.share)) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is refused: the first amount must not be above the second");
    }
  }

  private static long millis(String text) {
    Duration time = GoDuration.parse(text);
    if (time.compareTo(Duration.ofSeconds(1)) < 0 || time.compareTo(DurationRule.LONGEST) > 0) {
      throw new IllegalArgumentException(
          "\"%s\" is refused: a period or time must be from 1s to %dh"
              .formatted(text, DurationRule.LONGEST.toHours()));
    }
    return time.toMillis();
  }
}
