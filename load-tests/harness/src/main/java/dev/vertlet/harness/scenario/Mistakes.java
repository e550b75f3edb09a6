package dev.vertlet.harness.scenario;

import dev.vertlet.config.ConfigException;
import dev.vertlet.problem.Problem;
import java.util.ArrayList;
import java.util.List;

/** Collects what a schema cannot know to be wrong, so that all of it is reported at once. */
final class Mistakes {
  private final List<Problem> all = new ArrayList<>();

  /** A value that is not allowed. */
  void value(String pointer, Object value, String allowed) {
    all.add(Problem.of(pointer, value, allowed));
  }

  /** Something wrong that has no value to show. */
  void about(String pointer, String message) {
    all.add(Problem.about(pointer, message));
  }

  /**
   * @throws ConfigException when there are any
   */
  void done() {
    if (!all.isEmpty()) {
      throw new ConfigException(all);
    }
  }
}
