package dev.vertlet.provider.stream;

import dev.vertlet.provider.stream.LogRequest.Stream;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Selects the lines of a log for one request and writes them as a kubelet does, for providers that
 * store lines. One object per request: it counts the bytes written. Not thread-safe.
 */
public final class LogSelection {
  /** Always nine fractional digits, as container runtimes write them. */
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.nnnnnnnnn'Z' ").withZone(ZoneOffset.UTC);

  private static final Buffer NEW_LINE = Buffer.buffer("\n");

  private final LogRequest request;
  private long left;

  public LogSelection(LogRequest request) {
    this.request = request;
    Long limit = request.limitBytes();
    this.left = limit == null ? Long.MAX_VALUE : limit;
  }

  /** Returns the requested ones of the existing lines, oldest first. */
  public List<LogLine> existing(Collection<LogLine> lines) {
    Long tail = request.tailLines();
    long most = tail == null ? Long.MAX_VALUE : tail;
    Deque<LogLine> kept = new ArrayDeque<>();
    for (LogLine line : lines) {
      if (most > 0 && wants(line)) {
        if (kept.size() == most) {
          kept.removeFirst();
        }
        kept.addLast(line);
      }
    }
    return List.copyOf(kept);
  }

  /** Whether the request includes a later line. */
  public boolean wants(LogLine line) {
    @Nullable Instant since = request.since();
    return wants(line.error()) && (since == null || !line.time().isBefore(since));
  }

  private boolean wants(boolean error) {
    return request.stream() == Stream.ALL || error == (request.stream() == Stream.STDERR);
  }

  /** Appends a line with its time, if requested, within the byte limit. */
  public void append(LogLine line, Buffer to) {
    if (request.timestamps()) {
      append(Buffer.buffer(TIME.format(line.time())), to);
    }
    append(line.text(), to);
    append(NEW_LINE, to);
  }

  private void append(Buffer part, Buffer to) {
    int length = (int) Math.min(left, part.length());
    to.appendBuffer(part, 0, length);
    left -= length;
  }

  /** Whether the byte limit is reached: nothing more is sent. */
  public boolean full() {
    return left == 0;
  }
}
