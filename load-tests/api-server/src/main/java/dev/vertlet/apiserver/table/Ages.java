package dev.vertlet.apiserver.table;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;

/** Time spans as {@code k8s.io/apimachinery/pkg/util/duration} prints them. */
final class Ages {
  private static final String UNKNOWN = "<unknown>";
  private static final int DAY = 24;
  private static final int YEAR = 365;

  private Ages() {}

  /** The time since a timestamp field, {@code <unknown>} when it has none. */
  static String since(JsonNode timestamp, Instant now) {
    return instant(timestamp).map(then -> between(then, now)).orElse(UNKNOWN);
  }

  static String between(Instant then, Instant now) {
    return human(Duration.between(then, now));
  }

  static Optional<Instant> instant(JsonNode timestamp) {
    return timestamp.isTextual()
        ? Optional.of(OffsetDateTime.parse(timestamp.asText()).toInstant())
        : Optional.empty();
  }

  /** Two units at most, fewer the longer it is; a clock that is a second off is forgiven. */
  static String human(Duration span) {
    long seconds = span.toMillis() / 1000; // towards zero, as Go converts
    if (seconds < -1) {
      return "<invalid>";
    } else if (seconds < 120) {
      return Math.max(0, seconds) + "s";
    }
    long minutes = seconds / 60;
    if (minutes < 10) {
      return pair(minutes, "m", seconds % 60, "s");
    } else if (minutes < 180) {
      return minutes + "m";
    }
    long hours = minutes / 60;
    if (hours < 8) {
      return pair(hours, "h", minutes % 60, "m");
    } else if (hours < 2 * DAY) {
      return hours + "h";
    }
    long days = hours / DAY;
    if (days < 8) {
      return pair(days, "d", hours % DAY, "h");
    } else if (days < 2 * YEAR) {
      return days + "d";
    } else if (days < 8 * YEAR) {
      return pair(days / YEAR, "y", days % YEAR, "d");
    }
    return days / YEAR + "y";
  }

  private static String pair(long large, String largeUnit, long small, String smallUnit) {
    return large + largeUnit + (small == 0 ? "" : small + smallUnit);
  }
}
