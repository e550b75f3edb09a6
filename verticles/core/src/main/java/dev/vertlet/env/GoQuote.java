package dev.vertlet.env;

/** Formats a string as a Go literal, as {@code strconv.Quote} does. */
public final class GoQuote {
  private GoQuote() {}

  /** Returns the literal with its quotation marks. */
  public static String quote(String text) {
    StringBuilder out = new StringBuilder();
    append(out, text);
    return out.toString();
  }

  static void append(StringBuilder out, String text) {
    out.append('"');
    text.codePoints().forEach(point -> append(out, point));
    out.append('"');
  }

  private static void append(StringBuilder out, int point) {
    switch (point) {
      case '"', '\\' -> out.append('\\').append((char) point);
      case 0x07 -> out.append("\\a");
      case '\b' -> out.append("\\b");
      case '\f' -> out.append("\\f");
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      case 0x0b -> out.append("\\v");
      default -> {
        if (printable(point)) {
          out.appendCodePoint(point);
        } else if (point < ' ' || point == 0x7f) {
          out.append("\\x%02x".formatted(point));
        } else if (point < 0x10000) {
          out.append("\\u%04x".formatted(point));
        } else {
          out.append("\\U%08x".formatted(point));
        }
      }
    }
  }

  /** Whether the character is a letter, mark, number, punctuation, symbol or the plain space. */
  private static boolean printable(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      case Character.SPACE_SEPARATOR -> point == ' ';
      default -> true;
    };
  }
}
