package dev.vertlet.host.logs;

/**
 * Layout of a line in CRI format as the shim writes it: {@code TIME stdout F text}, with a time of
 * a fixed length.
 */
public final class LogRecord {
  /** Length of {@code 2026-11-26T11:14:52.123456789Z}. */
  public static final int TIME = 30;

  /** Index of the text. */
  public static final int TEXT = TIME + 10;

  /** Bytes of a line, its end included, at most. */
  public static final int LONGEST = TEXT + 16 * 1024 + 1;

  /** Index of the letter in which {@code stdout} and {@code stderr} differ. */
  private static final int STREAM = TIME + 4;

  private static final int TAG = TIME + 8;

  private LogRecord() {}

  public static boolean error(byte[] bytes, int start) {
    return bytes[start + STREAM] == 'e';
  }

  /** Whether the line ends here, and is not continued by the next one of its stream. */
  public static boolean full(byte[] bytes, int start) {
    return bytes[start + TAG] == 'F';
  }
}
