package dev.vertlet.config;

import dev.vertlet.model.GoDuration;
import dev.vertlet.problem.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong with the values of one record, so that all of it is reported at once. */
final class Check {
  private final String pointer;
  private final List<Problem> problems = new ArrayList<>();

  /**
   * @param pointer of the section; empty for a record that is an item of a list, whose place only
   *     the caller knows
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
      problems.add(Problem.of(pointer + "/" + key, value, allowed));
    }
    return this;
  }

  /**
   * @throws ConfigException when anything did not hold
   */
  void done() {
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
  }

  /** As people write it: 5m, not Go's 5m0s. */
  static String text(Duration duration) {
    return GoDuration.format(duration)
        .replaceFirst("(?<=[hm])0s$", "")
        .replaceFirst("(?<=h)0m$", "");
  }
}
