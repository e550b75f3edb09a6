package dev.vertlet.simulated;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads durations as Kubernetes writes them: {@code 1h30m}, {@code 2.5s}, {@code 0}. */
final class GoDuration {
  private static final Pattern PART =
      Pattern.compile("\\G([0-9]{1,12}(?:\\.[0-9]{1,9})?)(ns|us|µs|ms|s|m|h)");

  private GoDuration() {}

  /**
   * @throws IllegalArgumentException when {@code text} is not a non-negative duration; the message
   *     names it and says what is allowed
   */
  static Duration parse(String text) {
    if (text.equals("0")) {
      return Duration.ZERO;
    }
    Matcher part = PART.matcher(text);
    BigDecimal nanos = BigDecimal.ZERO;
    int end = 0;
    while (part.find()) {
      nanos = nanos.add(new BigDecimal(part.group(1)).multiply(nanosOf(part.group(2))));
      end = part.end();
    }
    if (end == 0 || end != text.length()) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is no duration: want for example 500ms, 10s, 1m30s or 2h");
    }
    return toDuration(nanos, text);
  }

  private static Duration toDuration(BigDecimal nanos, String text) {
    BigDecimal[] parts = nanos.divideAndRemainder(BigDecimal.valueOf(1_000_000_000L));
    if (parts[0].compareTo(BigDecimal.valueOf(DurationRule.LONGEST.toSeconds())) > 0) {
      throw new IllegalArgumentException("\"" + text + "\" is longer than 876000h (100 years)");
    }
    return Duration.ofSeconds(parts[0].longValue(), parts[1].longValue());
  }

  private static BigDecimal nanosOf(String unit) {
    return BigDecimal.valueOf(
        switch (unit) {
          case "ns" -> 1L;
          case "us", "µs" -> 1_000L;
          case "ms" -> 1_000_000L;
          case "s" -> 1_000_000_000L;
          case "m" -> 60_000_000_000L;
          default -> 3_600_000_000_000L;
        });
  }
}
