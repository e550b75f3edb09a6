package dev.vertlet.host.logs;

import dev.vertlet.provider.stream.LogRequest;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the lines of a log that a client wants, across all of its files, and writes them as a
 * kubelet does. Lines of another format than CRI's are left out. Blocks; used by one thread at a
 * time.
 */
public final class LogCursor implements AutoCloseable {
  private static final int CHUNK = 64 * 1024;

  /** Bytes of a line at most; runtimes cut lines at 16 KiB unless they are set otherwise. */
  private static final int LONGEST_LINE = 16 << 20;

  private final LogFiles files;
  private final LogRequest request;
  private final byte @Nullable [] since;
  private ByteBuffer buffer = ByteBuffer.allocate(CHUNK);
  private @Nullable LogFile file;
  private long offset;
  private long left;

  /** Bytes of the log that are wanted: later lines than the last ones are not. */
  private long within = Long.MAX_VALUE;

  private boolean lineBegins = true;
  private boolean placed;

  /**
   * @param files of the log
   * @param request which lines are wanted
   */
  public LogCursor(LogFiles files, LogRequest request) {
    this.files = files;
    this.request = request;
    Instant from = request.since();
    this.since = from == null ? null : LogRecord.bound(from);
    Long limit = request.limitBytes();
    this.left = limit == null ? Long.MAX_VALUE : limit;
  }

  /** Whether the byte limit is reached: nothing more is sent. */
  public boolean full() {
    return left == 0;
  }

  /**
   * Reads on.
   *
   * @return some lines, possibly none of which are wanted; null at the end of what is written
   */
  public @Nullable Buffer read() throws IOException {
    while (true) {
      if (within == 0 || (file == null && !place())) {
        return null;
      }
      LogFile current = Objects.requireNonNull(file);
      // before the read: a file that is complete gets no more lines
      boolean complete = current.complete();
      int lines = fill(current);
      if (lines > 0) {
        offset += lines;
        within -= lines;
        return select(lines);
      }
      LogFile next = complete ? current.next() : null;
      if (next == null) {
        return null;
      }
      current.close();
      file = next;
      offset = 0;
    }
  }

  /** Opens the file in which the wanted lines begin. Returns false while there is none. */
  private boolean place() throws IOException {
    Long tail = placed ? null : request.tailLines();
    placed = true;
    if (tail == null) {
      file = files.first();
      return file != null;
    }
    LogTail.Position position = new LogTail(files, request.stream(), tail).find();
    if (position == null) {
      return false;
    }
    file = position.file();
    offset = position.offset();
    if (!request.follow()) {
      within = position.length();
    }
    return true;
  }

  /** Reads on, and returns how many bytes whole lines have. */
  private int fill(LogFile from) throws IOException {
    while (true) {
      buffer.clear();
      buffer.limit((int) Math.min(buffer.capacity(), within));
      int n = from.channel().read(buffer, offset);
      int lines = n <= 0 ? 0 : lastLineEnd(n);
      if (lines > 0 || n < buffer.capacity()) {
        return lines;
      }
      if (n >= LONGEST_LINE) {
        throw new IOException("a line of the log has more than " + LONGEST_LINE + " bytes");
      }
      buffer = ByteBuffer.allocate(2 * buffer.capacity());
    }
  }

  private int lastLineEnd(int length) {
    for (int i = length; i > 0; i--) {
      if (buffer.get(i - 1) == '\n') {
        return i;
      }
    }
    return 0;
  }

  private Buffer select(int length) {
    Buffer selected = Buffer.buffer();
    byte[] bytes = buffer.array();
    int start = 0;
    for (int i = 0; i < length && left > 0; i++) {
      if (bytes[i] == '\n') {
        LogRecord line = LogRecord.parse(bytes, start, i);
        if (line != null && wanted(bytes, line)) {
          append(selected, bytes, line, i);
        }
        start = i + 1;
      }
    }
    return selected;
  }

  private boolean wanted(byte[] bytes, LogRecord line) {
    return (request.stream() == LogRequest.Stream.ALL
            || line.error() == (request.stream() == LogRequest.Stream.STDERR))
        && (since == null || line.notBefore(bytes, since));
  }

  private void append(Buffer to, byte[] bytes, LogRecord line, int end) {
    if (request.timestamps() && lineBegins) {
      byte[] time = line.time(bytes);
      append(to, time, 0, time.length);
      append(to, new byte[] {' '}, 0, 1);
    }
    append(to, bytes, line.text(), end - line.text());
    lineBegins = line.full();
    if (lineBegins) {
      append(to, bytes, end, 1);
    }
  }

  private void append(Buffer to, byte[] bytes, int from, int length) {
    int most = (int) Math.min(left, length);
    to.appendBytes(bytes, from, most);
    left -= most;
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      file.close();
      file = null;
    }
  }
}
