package dev.vertlet.host.logs;

import dev.vertlet.provider.LogRequest;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the lines of a log that a client wants, across all of its files, and writes them as a
 * kubelet does. Blocks; used by one thread at a time.
 */
public final class LogCursor implements AutoCloseable {
  private static final int CHUNK = 64 * 1024;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.nnnnnnnnn'Z'").withZone(ZoneOffset.UTC);

  private final LogSegments segments;
  private final LogRequest request;
  private final byte @Nullable [] since;
  private final ByteBuffer buffer = ByteBuffer.allocate(CHUNK);
  private LogSegments.@Nullable Segment segment;
  private long next;
  private long offset;
  private long left;
  private boolean lineBegins = true;
  private boolean placed;

  public LogCursor(LogSegments segments, LogRequest request) {
    this.segments = segments;
    this.request = request;
    Instant from = request.since();
    this.since = from == null ? null : TIME.format(from).getBytes(StandardCharsets.US_ASCII);
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
    if (!placed) {
      place();
      placed = true;
    }
    while (true) {
      if (segment == null && !open()) {
        return null;
      }
      LogSegments.Segment file = java.util.Objects.requireNonNull(segment);
      // before the read: a file that is renamed gets no more lines
      boolean complete = segments.isRotated(file.number());
      buffer.clear();
      int n = file.channel().read(buffer, offset);
      int lines = n <= 0 ? 0 : lastLineEnd(n);
      if (lines > 0) {
        offset += lines;
        return select(lines);
      }
      if (!complete) {
        return null;
      }
      next = file.number() + 1;
      offset = 0;
      file.channel().close();
      segment = null;
    }
  }

  private void place() throws IOException {
    Long tail = request.tailLines();
    if (tail == null) {
      next = segments.oldest();
      return;
    }
    LogTail.Position position = new LogTail(segments, request.stream(), tail).find();
    next = position.segment();
    offset = position.offset();
  }

  private boolean open() throws IOException {
    segment = segments.open(next);
    if (segment != null && segment.number() != next) {
      offset = 0; // the place itself was removed
    }
    return segment != null;
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
        if (i - start >= LogRecord.TEXT && wanted(bytes, start)) {
          line(selected, bytes, start, i);
        }
        start = i + 1;
      }
    }
    return selected;
  }

  private boolean wanted(byte[] bytes, int start) {
    boolean error = LogRecord.error(bytes, start);
    if (request.stream() != LogRequest.Stream.ALL
        && error != (request.stream() == LogRequest.Stream.STDERR)) {
      return false;
    }
    return since == null
        || Arrays.compare(bytes, start, start + LogRecord.TIME, since, 0, LogRecord.TIME) >= 0;
  }

  private void line(Buffer to, byte[] bytes, int start, int end) {
    if (request.timestamps() && lineBegins) {
      append(to, bytes, start, LogRecord.TIME + 1);
    }
    append(to, bytes, start + LogRecord.TEXT, end - start - LogRecord.TEXT);
    lineBegins = LogRecord.full(bytes, start);
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
    if (segment != null) {
      segment.channel().close();
      segment = null;
    }
  }
}
