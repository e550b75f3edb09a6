package dev.vertlet.host.logs;

import dev.vertlet.provider.stream.LogRequest;
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

  private final LogFiles files;
  private final LogRequest.Stream stream;
  private long missing;

  /** By stream: whether the beginning of its earliest line that is wanted is still to be found. */
  private final boolean[] open = new boolean[2];

  /** By stream: whether its last record was seen, which ends a line in any case. */
  private final boolean[] seen = new boolean[2];

  /** Bytes of the files that are later than the one that is read. */
  private long later;

  private @Nullable Position best;

  /**
   * A place in a log. The file is open.
   *
   * @param length bytes from there to the end of the log as it was found
   */
  record Position(LogFile file, long offset, long length) {}

  LogTail(LogFiles files, LogRequest.Stream stream, long lines) {
    this.files = files;
    this.stream = stream;
    this.missing = lines;
  }

  /** Returns the place of the first of the last lines; null if there is no file. */
  @Nullable Position find() throws IOException {
    LogFile file = files.last();
    if (file == null) {
      file = files.first(); // the file that grows is about to be made again
    }
    if (file == null) {
      return null;
    }
    try {
      best = new Position(file, lastLineEnd(file.channel()), 0);
      long end = best.offset();
      while (!done() && !back(file, end)) {
        LogFile previous = file.previous();
        closeUnlessBest(file);
        if (previous == null) {
          return best;
        }
        file = previous;
        later += end;
        end = lastLineEnd(file.channel());
      }
      closeUnlessBest(file);
      return best;
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  private void closeUnlessBest(LogFile file) throws IOException {
    if (best == null || best.file() != file) {
      file.close();
    }
  }

  private void found(LogFile file, long offset, long end) throws IOException {
    Position before = best;
    best = new Position(file, offset, later + end - offset);
    if (before != null && before.file() != file) {
      before.file().close();
    }
  }

  private boolean done() {
    return missing == 0 && !open[0] && !open[1];
  }

  /** Returns the end of the last whole line: the next may be being written. */
  private static long lastLineEnd(FileChannel channel) throws IOException {
    long end = channel.size();
    while (end > 0) {
      int length = (int) Math.min(BLOCK, end);
      byte[] bytes = read(channel, end - length, length);
      for (int i = length; i > 0; i--) {
        if (bytes[i - 1] == '\n') {
          return end - length + i;
        }
      }
      end -= length;
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
  private boolean back(LogFile file, long from) throws IOException {
    long end = from;
    int block = BLOCK;
    while (end > 0) {
      int length = (int) Math.min(block, end);
      long begin = end - length;
      byte[] bytes = read(file.channel(), begin, length);
      int lineEnd = length;
      while (lineEnd > 0) {
        int start = lineStart(bytes, lineEnd);
        if (start == 0 && begin > 0) {
          break; // the line may begin in the block before
        }
        LogRecord line = LogRecord.parse(bytes, start, lineEnd - 1);
        if (line != null && selected(line.error())) {
          if (take(line)) {
            return true;
          }
          if (open[line.error() ? 1 : 0]) {
            found(file, begin + start, from);
          }
        }
        lineEnd = start;
      }
      // a line that is longer than the block needs a larger one
      block = lineEnd == length ? 2 * block : BLOCK;
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

  /** Counts a line. Returns true if it comes before all lines that are wanted. */
  private boolean take(LogRecord line) {
    int own = line.error() ? 1 : 0;
    boolean latest = !seen[own]; // a program need not end its last line
    seen[own] = true;
    if (!latest && !line.full()) {
      return false;
    }
    if (missing == 0) {
      open[own] = false;
      return done();
    }
    missing--;
    open[own] = true;
    return false;
  }

  private boolean selected(boolean error) {
    return stream == LogRequest.Stream.ALL || error == (stream == LogRequest.Stream.STDERR);
  }
}
