package dev.vertlet.model;

import java.time.Instant;
import java.time.LocalDate;

/**
 * The API's two formats of time: {@code Time}, RFC 3339 in whole seconds, and {@code MicroTime},
 * which leases use. Hand-written for speed: every status and every lease renewal uses them.
 */
public final class Timestamps {
  /** 0001-01-01T00:00:00Z, which Go writes as null. */
  public static final long GO_ZERO_SECONDS = -62_135_596_800L;

  /** 0000-01-01T00:00:00Z and 9999-12-31T23:59:59Z: the range of years with four digits. */
  private static final long MIN_SECONDS = -62_167_219_200L;

  private static final long MAX_SECONDS = 253_402_300_799L;

  /** Length of {@code 2006-01-02T15:04:05}. */
  private static final int BASE = 19;

  private static final int SECONDS_PER_DAY = 86_400;

  private Timestamps() {}

  /**
   * Parses {@code 2006-01-02T15:04:05Z}, with or without a fraction (digits beyond nine are
   * truncated), with {@code Z} or an offset such as {@code +01:00}.
   *
   * @throws IllegalArgumentException naming the text and the form
   */
  public static Instant parse(String text) {
    if (!shaped(text)) {
      throw invalid(text);
    }
    int at = BASE;
    int nanos = 0;
    if (text.charAt(at) == '.') {
      int end = fractionEnd(text, at + 1);
      nanos = nanos(text, at + 1, end);
      at = end;
    }
    long seconds = daySeconds(text) + number(text, 11, 2, 23) * 3600L;
    seconds += number(text, 14, 2, 59) * 60L + number(text, 17, 2, 59) - offset(text, at);
    if (!inRange(seconds)) {
      throw invalid(text);
    }
    return Instant.ofEpochSecond(seconds, nanos);
  }

  /** Formats {@code 2006-01-02T15:04:05Z}; a fraction is truncated. */
  public static String format(Instant time) {
    char[] out = new char[BASE + 1];
    base(time, out);
    out[BASE] = 'Z';
    return new String(out);
  }

  /** Formats {@code 2006-01-02T15:04:05.000000Z}; fractions of a microsecond are truncated. */
  public static String formatMicro(Instant time) {
    char[] out = new char[BASE + 8];
    base(time, out);
    out[BASE] = '.';
    digits(out, BASE + 1, 6, time.getNano() / 1000);
    out[BASE + 7] = 'Z';
    return new String(out);
  }

  /** Whether the API can represent this time. */
  public static boolean inRange(long epochSeconds) {
    return epochSeconds >= MIN_SECONDS && epochSeconds <= MAX_SECONDS;
  }

  private static boolean shaped(String text) {
    return text.length() > BASE
        && text.charAt(4) == '-'
        && text.charAt(7) == '-'
        && text.charAt(10) == 'T'
        && text.charAt(13) == ':'
        && text.charAt(16) == ':';
  }

  private static long daySeconds(String text) {
    int year = number(text, 0, 4, 9999);
    int month = number(text, 5, 2, 12);
    int day = number(text, 8, 2, 31);
    if (month == 0 || day == 0 || day > 28 && day > lengthOfMonth(year, month)) {
      throw invalid(text);
    }
    return LocalDate.of(year, month, day).toEpochDay() * SECONDS_PER_DAY;
  }

  private static int lengthOfMonth(int year, int month) {
    return LocalDate.of(year, month, 1).lengthOfMonth();
  }

  private static int fractionEnd(String text, int start) {
    int end = start;
    while (end < text.length() && isDigit(text.charAt(end))) {
      end++;
    }
    if (end == start || end == text.length()) {
      throw invalid(text);
    }
    return end;
  }

  private static int nanos(String text, int start, int end) {
    int nanos = 0;
    for (int i = 0; i < 9; i++) {
      int at = start + i;
      nanos = nanos * 10 + (at < end ? text.charAt(at) - '0' : 0);
    }
    return nanos;
  }

  /** Parses the offset, in seconds east of UTC. */
  private static int offset(String text, int at) {
    char sign = text.charAt(at);
    if (sign == 'Z' && text.length() == at + 1) {
      return 0;
    }
    if (sign != '+' && sign != '-' || text.length() != at + 6 || text.charAt(at + 3) != ':') {
      throw invalid(text);
    }
    int seconds = number(text, at + 1, 2, 23) * 3600 + number(text, at + 4, 2, 59) * 60;
    return sign == '+' ? seconds : -seconds;
  }

  private static int number(String text, int start, int length, int max) {
    int value = 0;
    for (int i = start; i < start + length; i++) {
      char c = text.charAt(i);
      if (!isDigit(c)) {
        throw invalid(text);
      }
      value = value * 10 + c - '0';
    }
    if (value > max) {
      throw invalid(text);
    }
    return value;
  }

  private static void base(Instant time, char[] out) {
    long seconds = time.getEpochSecond();
    if (!inRange(seconds)) {
      throw new IllegalArgumentException(
          "a time must lie in the years 0000 to 9999, got second " + seconds + " of the epoch");
    }
    LocalDate day = LocalDate.ofEpochDay(Math.floorDiv(seconds, SECONDS_PER_DAY));
    int rest = (int) Math.floorMod(seconds, (long) SECONDS_PER_DAY);
    digits(out, 0, 4, day.getYear());
    out[4] = '-';
    digits(out, 5, 2, day.getMonthValue());
    out[7] = '-';
    digits(out, 8, 2, day.getDayOfMonth());
    out[10] = 'T';
    digits(out, 11, 2, rest / 3600);
    out[13] = ':';
    digits(out, 14, 2, rest / 60 % 60);
    out[16] = ':';
    digits(out, 17, 2, rest % 60);
  }

  private static void digits(char[] out, int start, int length, int value) {
    int rest = value;
    for (int i = start + length - 1; i >= start; i--) {
      out[i] = (char) ('0' + rest % 10);
      rest /= 10;
    }
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static IllegalArgumentException invalid(String text) {
    return new IllegalArgumentException(
        "\""
            + text
            + "\" is not a time: want RFC 3339, for example \"2006-01-02T15:04:05Z\" or"
            + " \"2006-01-02T15:04:05.000000Z\"");
  }
}
