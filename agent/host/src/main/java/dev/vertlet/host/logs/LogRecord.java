package dev.vertlet.host.logs;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A line in CRI format, {@code TIME stdout F text}, within a larger array. The time is that of
 * RFC&nbsp;3339 with up to nine digits after the second; the tag begins with {@code F}, or with
 * {@code P} for a line that the next one of its stream continues.
 *
 * @param start index of the first byte of the line
 * @param timeEnd index after the time
 * @param text index of the first byte of the text
 * @param error whether the stream is {@code stderr}
 * @param full whether the line ends here
 */
record LogRecord(int start, int timeEnd, int text, boolean error, boolean full) {
  /** Length of a time in UTC with nine digits after the second. */
  private static final int LONG_TIME = 30;

  /** Index of the point before the digits of a second. */
  private static final int POINT = 19;

  private static final int LEAST_TIME = 20;
  private static final byte[] OUT = "stdout ".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] ERROR = "stderr ".getBytes(StandardCharsets.US_ASCII);
  private static final DateTimeFormatter NINE_DIGITS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.nnnnnnnnnXXX");

  /**
   * Reads a line.
   *
   * @param start index of its first byte
   * @param end index after its last byte, without the end of the line
   * @return null if it has another format
   */
  static @Nullable LogRecord parse(byte[] bytes, int start, int end) {
    int timeEnd = start;
    while (timeEnd < end && bytes[timeEnd] != ' ') {
      timeEnd++;
    }
    int stream = timeEnd + 1;
    int tag = stream + OUT.length;
    if (timeEnd - start < LEAST_TIME || tag >= end) {
      return null;
    }
    boolean error = Arrays.equals(bytes, stream, tag, ERROR, 0, ERROR.length);
    boolean out = !error && Arrays.equals(bytes, stream, tag, OUT, 0, OUT.length);
    int tagEnd = tag;
    while (tagEnd < end && bytes[tagEnd] != ' ') {
      tagEnd++;
    }
    boolean full = bytes[tag] == 'F';
    // further tags may follow after a colon
    boolean known = (full || bytes[tag] == 'P') && (tagEnd == tag + 1 || bytes[tag + 1] == ':');
    if (!known || !error && !out) {
      return null;
    }
    return new LogRecord(start, timeEnd, Math.min(tagEnd + 1, end), error, full);
  }

  /** Returns the time with nine digits after the second, in its own zone, as a kubelet sends it. */
  byte[] time(byte[] bytes) {
    int length = timeEnd - start;
    if (bytes[timeEnd - 1] == 'Z' && (length == LEAST_TIME || bytes[start + POINT] == '.')) {
      byte[] whole = new byte[LONG_TIME];
      Arrays.fill(whole, (byte) '0');
      whole[POINT] = '.';
      whole[LONG_TIME - 1] = 'Z';
      System.arraycopy(bytes, start, whole, 0, Math.min(length, LONG_TIME) - 1);
      return whole;
    }
    OffsetDateTime time = offsetTime(bytes);
    return time == null
        ? Arrays.copyOfRange(bytes, start, timeEnd)
        : NINE_DIGITS.format(time).getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Whether the line is from this time or later; a time that cannot be read is.
   *
   * @param since as {@link #bound} returns it
   */
  boolean notBefore(byte[] bytes, byte[] since) {
    if (bytes[timeEnd - 1] == 'Z') {
      byte[] time = time(bytes);
      return Arrays.compare(time, since) >= 0;
    }
    OffsetDateTime time = offsetTime(bytes);
    return time == null || Arrays.compare(bound(time.toInstant()), since) >= 0;
  }

  /** A time in the form in which bytes compare as times do. */
  static byte[] bound(Instant time) {
    return NINE_DIGITS.format(time.atOffset(ZoneOffset.UTC)).getBytes(StandardCharsets.US_ASCII);
  }

  private @Nullable OffsetDateTime offsetTime(byte[] bytes) {
    try {
      return OffsetDateTime.parse(
          new String(bytes, start, timeEnd - start, StandardCharsets.US_ASCII));
    } catch (DateTimeException e) {
      return null;
    }
  }
}
