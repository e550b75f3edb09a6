package dev.vertlet.problem;

import java.util.Locale;

/**
 * Makes what strangers wrote a part of a line for people: nothing in it ends the line, moves the
 * cursor of a terminal or turns the direction of what is read.
 */
public final class OneLine {
  private OneLine() {}

  /** The text, with what cannot be printed written as in JSON. */
  public static String of(String text) {
    if (text.codePoints().allMatch(OneLine::isPlain)) {
      return text;
    }
    StringBuilder line = new StringBuilder(text.length() + 16);
    text.codePoints().forEach(character -> append(line, character));
    return line.toString();
  }

  /** The same, cut where it is longer than anybody reads. */
  public static String of(String text, int longest) {
    return of(text.length() <= longest ? text : text.substring(0, longest) + "…");
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
