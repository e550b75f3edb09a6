package dev.vertlet.config;

import java.util.Locale;

/**
 * Makes untrusted text safe inside one line of output: it cannot end the line, move the cursor of a
 * terminal or reverse the reading direction.
 */
public final class OneLine {
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

  /** Escapes and shortens the text. */
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
