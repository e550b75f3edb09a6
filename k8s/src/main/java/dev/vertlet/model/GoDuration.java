package dev.vertlet.model;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Go's spelling of durations, which Kubernetes' configuration uses: {@code 10s}, {@code 1m30s},
 * {@code 150ms}, {@code 1.5h}, {@code 0}.
 *
 * @see <a href="https://pkg.go.dev/time#ParseDuration">time.ParseDuration</a>
 */
public final class GoDuration {
  /** Go's maximum: 64 bits of nanoseconds, a little over 292 years. */
  private static final Duration MAX = Duration.ofNanos(Long.MAX_VALUE);

  private static final long SECOND = 1_000_000_000L;
  private static final Map<String, Long> NANOS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "\u00b5s", 1_000L,
          "\u03bcs", 1_000L,
          "ms", 1_000_000L,
          "s", SECOND,
          "m", 60 * SECOND,
          "h", 3600 * SECOND);

  private static final Pattern PART =
      Pattern.compile("([0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(ns|us|\u00b5s|\u03bcs|ms|s|m|h)");

  /** Maximum length, which bounds the cost of a hostile text. */
  private static final int MAX_LENGTH = 128;

  private GoDuration() {}

  /**
   * Parses a duration; fractions of a nanosecond are truncated.
   *
   * @throws IllegalArgumentException naming the text and the form
   */
  public static Duration parse(String text) {
    boolean signed = text.startsWith("-") || text.startsWith("+");
    String magnitude = signed ? text.substring(1) : text;
    BigDecimal nanos = magnitude.equals("0") ? BigDecimal.ZERO : nanos(text, magnitude);
    if (nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      throw invalid(text, "more than " + format(MAX));
    }
    Duration duration = Duration.ofNanos(nanos.longValue());
    return text.startsWith("-") ? duration.negated() : duration;
  }

  /**
   * Formats a duration as Go does: {@code 1h0m0s}, {@code 1.5s}, {@code 150ms}, {@code 0s}.
   *
   * @throws ArithmeticException beyond Go's range
   */
  public static String format(Duration duration) {
    long nanos = duration.toNanos();
    String sign = nanos < 0 ? "-" : "";
    BigDecimal rest = BigDecimal.valueOf(nanos).abs();
    if (nanos == 0) {
      return "0s";
    }
    if (nanos > -SECOND && nanos < SECOND) {
      return sign + belowSecond(rest);
    }
    long minutes = rest.divideToIntegralValue(BigDecimal.valueOf(60 * SECOND)).longValueExact();
    BigDecimal seconds = rest.subtract(BigDecimal.valueOf(60 * SECOND).multiply(whole(minutes)));
    StringBuilder out = new StringBuilder(sign);
    if (minutes >= 60) {
      out.append(minutes / 60).append('h');
    }
    if (minutes > 0) {
      out.append(minutes % 60).append('m');
    }
    return out.append(plain(seconds, SECOND)).append('s').toString();
  }

  /** As people write it: {@code 5m}, not {@code 5m0s}. */
  public static String brief(Duration duration) {
    return format(duration).replaceFirst("(?<=[hm])0s$", "").replaceFirst("(?<=h)0m$", "");
  }

  private static BigDecimal nanos(String text, String magnitude) {
    Matcher part = PART.matcher(magnitude);
    BigDecimal sum = BigDecimal.ZERO;
    int at = 0;
    while (magnitude.length() <= MAX_LENGTH && part.region(at, magnitude.length()).lookingAt()) {
      long unit = NANOS.getOrDefault(part.group(2), 0L);
      BigDecimal value = new BigDecimal(part.group(1)).multiply(whole(unit));
      sum = sum.add(value.setScale(0, RoundingMode.DOWN));
      at = part.end();
    }
    if (at == 0 || at < magnitude.length()) {
      throw invalid(text, "not a duration");
    }
    return sum;
  }

  private static String belowSecond(BigDecimal nanos) {
    if (nanos.compareTo(whole(1_000)) < 0) {
      return plain(nanos, 1) + "ns";
    }
    return nanos.compareTo(whole(1_000_000)) < 0
        ? plain(nanos, 1_000) + "\u00b5s"
        : plain(nanos, 1_000_000) + "ms";
  }

  private static String plain(BigDecimal nanos, long unit) {
    return nanos.divide(whole(unit)).stripTrailingZeros().toPlainString();
  }

  private static BigDecimal whole(long value) {
    return BigDecimal.valueOf(value);
  }

  private static IllegalArgumentException invalid(String text, String what) {
    return new IllegalArgumentException(
        "\""
            + text
            + "\" is "
            + what
            + ": want numbers with units ns, us, ms, s, m or h, for example \"10s\", \"1m30s\","
            + " \"150ms\" or \"1.5h\"");
  }
}
