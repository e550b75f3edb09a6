package dev.vertlet.stages.template.function;

import dev.vertlet.stages.template.value.TimeLayout;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Clock;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Times and durations as Go writes and reads them. */
final class Dates {
  private static final Pattern PART =
      Pattern.compile("([0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)");
  private static final Map<String, Long> UNITS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "µs", 1_000L,
          "μs", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L);

  private Dates() {}

  /** The time now with as many digits of its fraction as it needs. */
  static String rfc3339(Clock clock) {
    return TimeLayout.format(ZonedDateTime.now(clock), "2006-01-02T15:04:05.999999999Z07:00");
  }

  /** Reads {@code 1h30m}; null for anything else, or more than 292 years. */
  static @Nullable Duration parse(String text) {
    String parts = text.startsWith("-") || text.startsWith("+") ? text.substring(1) : text;
    if (parts.equals("0")) {
      return Duration.ZERO;
    }
    Matcher part = PART.matcher(parts);
    BigDecimal nanoseconds = BigDecimal.ZERO;
    int end = 0;
    while (end < parts.length()) {
      part.region(end, parts.length());
      if (!part.lookingAt() || part.group(1).length() > 40) {
        return null;
      }
      BigDecimal unit = BigDecimal.valueOf(UNITS.getOrDefault(part.group(2), 0L));
      nanoseconds = nanoseconds.add(new BigDecimal(part.group(1)).multiply(unit));
      end = part.end();
    }
    boolean fits = nanoseconds.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0;
    if (parts.isEmpty() || !fits) {
      return null;
    }
    Duration duration = Duration.ofNanos(nanoseconds.setScale(0, RoundingMode.DOWN).longValue());
    return text.startsWith("-") ? duration.negated() : duration;
  }

  /** Writes whole seconds as {@code 1h0m5s}. */
  static String seconds(long seconds) {
    long size = Math.abs(seconds);
    String sign = seconds < 0 ? "-" : "";
    if (size < 60) {
      return sign + size + "s";
    }
    long minutes = size / 60;
    String rest = minutes % 60 + "m" + size % 60 + "s";
    return sign + (minutes < 60 ? rest : minutes / 60 + "h" + rest);
  }
}
