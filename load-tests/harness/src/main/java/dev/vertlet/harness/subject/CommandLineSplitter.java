package dev.vertlet.harness.subject;

import java.util.ArrayList;
import java.util.List;

/** Splits a command line at its spaces. */
final class CommandLineSplitter {
  private CommandLineSplitter() {}

  /**
   * Splits a line into words. Single and double quotes keep spaces in a word; no other character is
   * special.
   *
   * @throws IllegalArgumentException when a quote is not closed
   */
  static List<String> of(String line) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean inWord = false;
    char quote = 0;
    for (char c : line.toCharArray()) {
      if (quote != 0) {
        if (c == quote) {
          quote = 0;
        } else {
          word.append(c);
        }
      } else if (c == '\'' || c == '"') {
        quote = c;
        inWord = true;
      } else if (!Character.isWhitespace(c)) {
        word.append(c);
        inWord = true;
      } else if (inWord) {
        words.add(word.toString());
        word.setLength(0);
        inWord = false;
      }
    }
    if (quote != 0) {
      throw new IllegalArgumentException("\"%s\": a %s does not end".formatted(line, quote));
    }
    if (inWord) {
      words.add(word.toString());
    }
    return words;
  }
}
