package dev.vertlet.problem;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Makes untrusted text safe inside one line of output: it cannot end the line, move the cursor of a
 * terminal or reverse the reading direction.
 */
public final class OneLine {
  /** Who wrote a text can have made a hundred thousand mistakes; a person mends the first ones. */
  private static final int MOST = 50;

  /** Of one text, in characters: keys can be of any length. */
  private static final int LONGEST = 1_000;

  private OneLine() {}

  /** Escapes characters that cannot be printed, as JSON does. */
  public static String of(String text) {
    if (text.codePoints().allMatch(OneLine::isPlain)) {
      return text;
    }
    StringBuilder line = new StringBuilder(text.length() + 16);
    text.codePoints().forEach(character -> append(line, character));
    return line.toString();
  }

  /**
   * The first texts, each cut where it is longer than anybody reads, and how many more there are.
   */
  public static List<String> first(List<String> texts) {
    Stream<String> first =
        texts.stream()
            .limit(MOST)
            .map(text -> of(text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…"));
    return texts.size() <= MOST
        ? first.toList()
        : Stream.concat(first, Stream.of("and " + (texts.size() - MOST) + " more")).toList();
  }

  private static void append(StringBuilder line, int character) {
    switch (character) {
      case '\n' -> line.append("\\n");
      case '\r' -> line.append("\\r");
      case '\t' -> line.append("\\t");
      default -> {
        if (isPlain(character)) {
          line.appendCodePoint(character);
        } else {
          for (char unit : Character.toChars(character)) {
            line.append(String.format(Locale.ROOT, "\\u%04x", (int) unit));
          }
        }
      }
    }
  }

  private static boolean isPlain(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
