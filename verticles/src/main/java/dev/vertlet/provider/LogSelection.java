package dev.vertlet.provider;

import dev.vertlet.provider.LogRequest.Stream;
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
 * Chooses the lines of a log that one request wants and writes them as a kubelet does, for
 * providers that have lines. One object per request; knows what was written so far. Not
 * thread-safe.
 */
public final class LogSelection {
  /** Always nine digits behind the dot, as container runtimes write it. */
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

  /** Of the lines that are there when the request comes, oldest first, those that are wanted. */
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

  /** Whether a line that comes later is wanted. */
  public boolean wants(LogLine line) {
    @Nullable Instant since = request.since();
    return wants(line.error()) && (since == null || !line.time().isBefore(since));
  }

  private boolean wants(boolean error) {
    return request.stream() == Stream.ALL || error == (request.stream() == Stream.STDERR);
  }

  /**
   * Appends a line as the reader gets it: with its time if that was asked for, within the limit.
   */
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

  /** Whether the limit is reached: nothing more is to be sent, also where lines follow. */
  public boolean full() {
    return left == 0;
  }
}
