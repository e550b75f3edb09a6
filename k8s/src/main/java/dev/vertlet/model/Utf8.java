package dev.vertlet.model;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Truncates texts to a number of bytes in UTF-8, at character boundaries. */
public final class Utf8 {
  private Utf8() {}

  /** Returns the beginning of the text, or the whole text if it fits. */
  public static String first(String text, int most) {
    if (text.length() <= most / 3) {
      return text;
    }
    byte[] bytes = text.getBytes(UTF_8);
    return bytes.length <= most ? text : new String(bytes, 0, before(bytes, most), UTF_8);
  }

  /** Returns the end of the text, or the whole text if it fits. */
  public static String last(String text, int most) {
    if (text.length() <= most / 3) {
      return text;
    }
    byte[] bytes = text.getBytes(UTF_8);
    return bytes.length <= most ? text : last(bytes, bytes.length - most);
  }

  /** Returns the text from the first character that begins at or after {@code start}. */
  public static String last(byte[] bytes, int start) {
    int from = start;
    while (from < bytes.length && continues(bytes[from])) {
      from++;
    }
    return new String(bytes, from, bytes.length - from, UTF_8);
  }

  private static int before(byte[] bytes, int most) {
    int end = most;
    while (end > 0 && continues(bytes[end])) {
      end--;
    }
    return end;
  }

  private static boolean continues(byte part) {
    return (part & 0xC0) == 0x80;
  }
}
