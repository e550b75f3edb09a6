package dev.vertlet.config;

import dev.vertlet.model.GoDuration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Collects the mistakes in the values of one record, so that all are reported at once. */
final class Check {
  private final String pointer;
  private final List<Mistake> mistakes = new ArrayList<>();

  /**
   * @param pointer JSON pointer of the section; empty for a list item, whose position only the
   *     caller knows
   */
  Check(String pointer) {
    this.pointer = pointer;
  }

  Check range(String key, Duration value, Duration min, Duration max) {
    boolean within = value.compareTo(min) >= 0 && value.compareTo(max) <= 0;
    return that(
        within, key, text(value), "must be from \"" + text(min) + "\" to \"" + text(max) + "\"");
  }

  Check range(String key, long value, long min, long max) {
    return that(value >= min && value <= max, key, value, "must be from " + min + " to " + max);
  }

  Check that(boolean holds, String key, Object value, String allowed) {
    if (!holds) {
      mistakes.add(Mistake.of(pointer + "/" + key, value, allowed));
    }
    return this;
  }

  /**
   * @throws ConfigException when a check failed
   */
  void done() {
    if (!mistakes.isEmpty()) {
      throw new ConfigException(mistakes);
    }
  }

  /** Formats a duration the way people write it: 5m instead of Go's 5m0s. */
  static String text(Duration duration) {
    return GoDuration.format(duration)
        .replaceFirst("(?<=[hm])0s$", "")
        .replaceFirst("(?<=h)0m$", "");
  }
}
