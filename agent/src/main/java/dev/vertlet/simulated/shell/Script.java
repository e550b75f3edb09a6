package dev.vertlet.simulated.shell;

import java.util.List;

/**
 * Commands, one after the other.
 *
 * @param steps in order
 */
record Script(List<Step> steps) {
  Script {
    steps = List.copyOf(steps);
  }

  /** When a command runs. */
  enum When {
    ALWAYS,
    /** The one before succeeded. */
    SUCCEEDED,
    /** The one before failed. */
    FAILED
  }

  /** One command and when it runs. */
  record Step(When when, Command command) {}

  /**
   * A command as it is written.
   *
   * @param assignments before the first word
   * @param words none where there are only assignments
   */
  record Command(List<Assignment> assignments, List<Word> words, List<Redirect> redirects) {
    Command {
      assignments = List.copyOf(assignments);
      words = List.copyOf(words);
      redirects = List.copyOf(redirects);
    }
  }

  /** {@code name=value}. */
  record Assignment(String name, Word value) {}

  /** What becomes one argument, or none or several where a variable outside of quotes says so. */
  record Word(List<Part> parts) {
    Word {
      parts = List.copyOf(parts);
    }
  }

  /**
   * A piece of a word.
   *
   * @param variable whether {@code text} is the name of one
   * @param quoted whether it stays as it is
   */
  record Part(String text, boolean variable, boolean quoted) {}

  /**
   * {@code 2>&1} and the like.
   *
   * @param from 0, 1 or 2
   * @param to 1 or 2; 0 for {@code /dev/null}
   */
  record Redirect(int from, int to) {}
}
