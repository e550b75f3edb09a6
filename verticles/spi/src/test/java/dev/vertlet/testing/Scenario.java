package dev.vertlet.testing;

import java.util.ArrayList;
import java.util.List;

/**
 * Plays a scenario that stands in one line of a table: words that say what happens, and words that
 * say what has to follow.
 */
public final class Scenario {
  private Scenario() {}

  /** Does, or asserts, what one word says. */
  @FunctionalInterface
  public interface Step {
    /**
     * @param argument what stands behind the word's colon, empty without one
     */
    void take(String word, String argument);
  }

  /** Takes each word of a line in turn; a failure names the words that went before. */
  public static void play(String line, Step step) {
    List<String> done = new ArrayList<>();
    for (String each : line.strip().split("\\s+")) {
      int colon = each.indexOf(':');
      String word = colon < 0 ? each : each.substring(0, colon);
      try {
        step.take(word, colon < 0 ? "" : each.substring(colon + 1));
      } catch (AssertionError e) {
        String after = String.join(" ", done);
        throw new AssertionError("%s, after [%s]: %s".formatted(each, after, e.getMessage()), e);
      }
      done.add(each);
    }
  }

  /** A word that the test does not know. */
  public static IllegalArgumentException unknown(String word) {
    return new IllegalArgumentException("no word " + word);
  }
}
