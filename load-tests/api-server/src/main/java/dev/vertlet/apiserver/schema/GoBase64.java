package dev.vertlet.apiserver.schema;

import java.util.Base64;

/**
 * Base64 as the real server reads it: padded, and with line ends anywhere. What it refuses no
 * client must find in a list.
 */
final class GoBase64 {
  private static final int QUANTUM = 4;
  private static final char PAD = '=';

  private GoBase64() {}

  /** Text that cannot be read. */
  static final class CorruptException extends Exception {
    private static final long serialVersionUID = 1;

    CorruptException(int at) {
      super("illegal base64 data at input byte " + at);
    }
  }

  static byte[] decode(String text) throws CorruptException {
    check(text);
    StringBuilder one = new StringBuilder(text.length());
    text.chars().filter(c -> !isLineEnd(c)).forEach(c -> one.append((char) c));
    return Base64.getDecoder().decode(one.toString());
  }

  /** Says where the first mistake is, as the real server counts. */
  private static void check(String text) throws CorruptException {
    int inQuantum = 0;
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      if (isLineEnd(c)) {
        continue;
      }
      if (c == PAD) {
        padding(text, at, inQuantum);
        return;
      }
      if (!isDigit(c)) {
        throw new CorruptException(at);
      }
      inQuantum = (inQuantum + 1) % QUANTUM;
    }
    if (inQuantum != 0) {
      throw new CorruptException(text.length() - inQuantum);
    }
  }

  /** Nothing but line ends follows it. */
  private static void padding(String text, int first, int inQuantum) throws CorruptException {
    if (inQuantum < 2) {
      throw new CorruptException(first);
    }
    int next = pastLineEnds(text, first + 1);
    if (inQuantum == 2) {
      if (next == text.length()) {
        throw new CorruptException(next);
      }
      if (text.charAt(next) != PAD) {
        throw new CorruptException(next - 1);
      }
      next = pastLineEnds(text, next + 1);
    }
    if (next < text.length()) {
      throw new CorruptException(next);
    }
  }

  private static int pastLineEnds(String text, int from) {
    int at = from;
    while (at < text.length() && isLineEnd(text.charAt(at))) {
      at++;
    }
    return at;
  }

  private static boolean isLineEnd(int c) {
    return c == '\r' || c == '\n';
  }

  private static boolean isDigit(char c) {
    return c >= 'A' && c <= 'Z'
        || c >= 'a' && c <= 'z'
        || c >= '0' && c <= '9'
        || c == '+'
        || c == '/';
  }
}
