package dev.vertlet.simulated.rule;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Rate of a container's log lines.
 *
 * @param everyNanos average nanoseconds between two lines, 1 or more; 0 for no lines
 */
public record LogRate(long everyNanos) {
  /** No lines other than those of the container's start and end. */
  static final LogRate NONE = new LogRate(0);

  /** One line every ten seconds: less than a megabyte per day. */
  static final LogRate DEFAULT = new LogRate(10_000_000_000L);

  private static final Pattern FORM = Pattern.compile("([0-9]{1,10}(?:\\.[0-9]{1,3})?)/([smh])");
  private static final Map<String, Long> UNITS =
      Map.of("s", 1_000_000_000L, "m", 60_000_000_000L, "h", 3_600_000_000_000L);

  /**
   * Parses {@code 10/s}, {@code 0.5/m}, {@code 3/h}, {@code 0} or {@code unlimited}: a line every
   * nanosecond, faster than any reader.
   *
   * @throws IllegalArgumentException with a message that names the text and what is allowed
   */
  public static LogRate parse(String text) {
    if (text.equals("0")) {
      return NONE;
    }
    if (text.equals("unlimited")) {
      return new LogRate(1);
    }
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw refused(text);
    }
    BigDecimal rate = new BigDecimal(form.group(1));
    if (rate.signum() == 0) {
      return NONE;
    }
    BigDecimal unit = BigDecimal.valueOf(UNITS.getOrDefault(form.group(2), 1L));
    long every = unit.divide(rate, 0, RoundingMode.DOWN).longValue();
    if (every < 1) {
      throw refused(text);
    }
    return new LogRate(every);
  }

  private static IllegalArgumentException refused(String text) {
    return new IllegalArgumentException(
        "\""
            + text
            + "\" is no rate of lines: want for example 10/s, 0.5/m or 3/h, at most 1000000000/s,"
            + " or 0, or unlimited");
  }
}
