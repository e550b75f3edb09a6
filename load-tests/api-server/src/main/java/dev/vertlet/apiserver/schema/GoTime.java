package dev.vertlet.apiserver.schema;

import java.time.DateTimeException;
import java.time.OffsetDateTime;

/** Reads times as a server written in Go does, and refuses them with its words. */
final class GoTime {
  private static final String SECONDS = "2006-01-02T15:04:05Z07:00";
  private static final String MICROSECONDS = "2006-01-02T15:04:05.000000Z07:00";
  private static final int DECIMALS = 6;

  /** Layout elements before the fraction, in order; digits stand for as many digits. */
  private static final String[] ELEMENTS = {
    "2006", "-", "01", "-", "02", "T", "15", ":", "04", ":", "05"
  };

  /** A text that is no time. */
  static final class MalformedException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedException(String message) {
      super(message, null, false, false);
    }
  }

  private GoTime() {}

  /**
   * @param micro whether the time must have six decimals
   */
  static void check(String text, boolean micro) throws MalformedException {
    String layout = micro ? MICROSECONDS : SECONDS;
    int at = 0;
    for (String element : ELEMENTS) {
      int end = at + element.length();
      boolean number = Character.isDigit(element.charAt(0));
      boolean fits =
          end <= text.length()
              && (number ? areDigits(text, at, end) : text.startsWith(element, at));
      if (!fits) {
        throw unlike(text, layout, at, element);
      }
      at = end;
    }
    at = fraction(text, layout, at, micro);
    if (!isZone(text.substring(at))) {
      throw unlike(text, layout, at, "Z07:00");
    }
    try {
      OffsetDateTime.parse(text);
    } catch (DateTimeException e) {
      throw new MalformedException("parsing time %s: %s".formatted(quoted(text), range(text)));
    }
  }

  private static int fraction(String text, String layout, int from, boolean micro)
      throws MalformedException {
    int at = from;
    if (at < text.length() && text.charAt(at) == '.') {
      at++;
      while (at < text.length() && Character.isDigit(text.charAt(at))) {
        at++;
      }
    }
    if (micro && at != from + 1 + DECIMALS) {
      throw unlike(text, layout, from, ".000000");
    }
    return micro || at > from + 1 ? at : from;
  }

  private static boolean isZone(String zone) {
    return zone.equals("Z")
        || (zone.length() == 6
            && (zone.charAt(0) == '+' || zone.charAt(0) == '-')
            && areDigits(zone, 1, 3)
            && zone.charAt(3) == ':'
            && areDigits(zone, 4, 6));
  }

  private static boolean areDigits(String text, int from, int to) {
    for (int i = from; i < to; i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }

  /** Which part is too large. */
  private static String range(String text) {
    int month = Integer.parseInt(text.substring(5, 7));
    if (month < 1 || month > 12) {
      return "month out of range";
    } else if (Integer.parseInt(text.substring(11, 13)) > 23) {
      return "hour out of range";
    } else if (Integer.parseInt(text.substring(14, 16)) > 59) {
      return "minute out of range";
    }
    return Integer.parseInt(text.substring(17, 19)) > 59
        ? "second out of range"
        : "day out of range";
  }

  private static MalformedException unlike(String text, String layout, int at, String element) {
    return new MalformedException(
        "parsing time %s as \"%s\": cannot parse %s as \"%s\""
            .formatted(quoted(text), layout, quoted(text.substring(at)), element));
  }

  private static String quoted(String text) {
    return '"' + text + '"';
  }
}
