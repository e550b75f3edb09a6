package dev.vertlet.host.logs;

import dev.vertlet.provider.LogRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/**
 * Finds where the last lines of a log begin, from its end backwards. Blocks; used once.
 *
 * <p>A line of several parts begins at the first of them: after the last whole line of its stream
 * before it.
 */
final class LogTail {
  private static final int BLOCK = 64 * 1024;

  private final LogSegments segments;
  private final LogRequest.Stream stream;
  private long missing;

  /** By stream: whether the beginning of its earliest line that is wanted is still to be found. */
  private final boolean[] open = new boolean[2];

  private Position best;

  /** A place in a log: offset in the file of this number. */
  record Position(long segment, long offset) {}

  LogTail(LogSegments segments, LogRequest.Stream stream, long lines) throws IOException {
    this.segments = segments;
    this.stream = stream;
    this.missing = lines;
    this.best = new Position(segments.newest(), 0);
  }

  /** Returns the place of the first of the last lines. */
  Position find() throws IOException {
    boolean last = true;
    for (long number = segments.newest(); number >= segments.oldest(); number--) {
      LogSegments.@Nullable Segment segment = segments.open(number);
      if (segment == null) {
        continue;
      }
      try (FileChannel channel = segment.channel()) {
        if (segment.number() != number) {
          break; // older files were removed meanwhile
        }
        long end = lastLineEnd(channel);
        if (last) {
          best = new Position(number, end);
          last = false;
        }
        if (done() || back(number, channel, end)) {
          break;
        }
      }
    }
    return best;
  }

  private boolean done() {
    return missing == 0 && !open[0] && !open[1];
  }

  /** Returns the end of the last whole line: the shim may be writing the next. */
  private static long lastLineEnd(FileChannel channel) throws IOException {
    long end = channel.size();
    int length = (int) Math.min(LogRecord.LONGEST, end);
    byte[] bytes = read(channel, end - length, length);
    for (int i = length; i > 0; i--) {
      if (bytes[i - 1] == '\n') {
        return end - length + i;
      }
    }
    return 0;
  }

  private static byte[] read(FileChannel channel, long offset, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(length);
    while (buffer.hasRemaining() && channel.read(buffer, offset + buffer.position()) > 0) {
      // reads on
    }
    return buffer.array();
  }

  /** Goes back through one file. Returns whether everything is found. */
  private boolean back(long number, FileChannel channel, long from) throws IOException {
    long end = from;
    while (end > 0) {
      int length = (int) Math.min(BLOCK, end);
      long begin = end - length;
      byte[] bytes = read(channel, begin, length);
      int lineEnd = length;
      while (lineEnd > 0) {
        int start = lineStart(bytes, lineEnd);
        if (start == 0 && begin > 0) {
          break; // the line may begin in the block before
        }
        if (lineEnd - start > LogRecord.TEXT && take(bytes, start)) {
          return true;
        }
        if (wanted(bytes, start, lineEnd)) {
          best = new Position(number, begin + start);
        }
        lineEnd = start;
      }
      end = begin + lineEnd;
    }
    return false;
  }

  private static int lineStart(byte[] bytes, int lineEnd) {
    int start = lineEnd - 1;
    while (start > 0 && bytes[start - 1] != '\n') {
      start--;
    }
    return start;
  }

  /**
   * Counts the line that begins here. Returns true if it comes before all lines that are wanted.
   */
  private boolean take(byte[] bytes, int start) {
    boolean error = LogRecord.error(bytes, start);
    if (!selected(error) || !LogRecord.full(bytes, start)) {
      return false;
    }
    if (missing == 0) {
      open[error ? 1 : 0] = false;
      return done();
    }
    missing--;
    open[error ? 1 : 0] = true;
    return false;
  }

  /** Whether the line belongs to the wanted ones, as a part of them or between their parts. */
  private boolean wanted(byte[] bytes, int start, int lineEnd) {
    if (lineEnd - start <= LogRecord.TEXT) {
      return false;
    }
    boolean error = LogRecord.error(bytes, start);
    return selected(error) && open[error ? 1 : 0];
  }

  private boolean selected(boolean error) {
    return stream == LogRequest.Stream.ALL || error == (stream == LogRequest.Stream.STDERR);
  }
}
