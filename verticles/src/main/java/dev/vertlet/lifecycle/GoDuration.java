package dev.vertlet.lifecycle;

import java.time.Duration;

/** Durations as Go prints them, because they are part of messages that people compare. */
final class GoDuration {
  private GoDuration() {}

  /** For example {@code 40s}, {@code 2m40s}, {@code 1h0m0s}, {@code 1.25s}, {@code 12ms}. */
  static String text(Duration duration) {
    long millis = duration.toMillis();
    if (millis == 0) {
      return "0s";
    }
    if (millis < 1000) {
      return millis + "ms";
    }
    StringBuilder text = new StringBuilder();
    long hours = millis / 3_600_000;
    long minutes = millis / 60_000;
    if (hours > 0) {
      text.append(hours).append('h');
    }
    if (minutes > 0) {
      text.append(minutes % 60).append('m');
    }
    text.append(millis / 1000 % 60);
    if (millis % 1000 != 0) {
      text.append('.').append(fraction((int) (millis % 1000)));
    }
    return text.append('s').toString();
  }

  private static String fraction(int millis) {
    String digits = String.valueOf(1000 + millis).substring(1);
    int end = digits.length();
    while (digits.charAt(end - 1) == '0') {
      end--;
    }
    return digits.substring(0, end);
  }
}
