package dev.vertlet.simulated;

import dev.vertlet.model.ContainerStateView;
import dev.vertlet.model.ContainerStateView.Running;
import dev.vertlet.model.ContainerStateView.Terminated;
import dev.vertlet.provider.ContainerTarget;
import dev.vertlet.provider.LogLine;
import dev.vertlet.provider.LogRequest.Stream;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The log of one instance, of which no line is kept: which lines there are, when each was written
 * and what it says follows from the rules, the seed, the instance and its start. Line 0 tells of
 * the start, lines 1, 2 and so on come at the rate, each at a drawn time of its own part of the
 * time; the last one tells of the end. All look-ups take the same short time however long the log
 * is.
 */
final class LogText {
  private static final long NANOS = 1_000_000_000L;

  /** Beyond it a time is as good as never: nanoseconds would not fit. */
  private static final long LAST_SECOND = Long.MAX_VALUE / NANOS - 1;

  private static final long NEVER = Long.MAX_VALUE;

  /** What the file of a log has besides the text: a time, the stream, a tag and the line's end. */
  private static final int FRAME = "2026-01-01T00:00:00.000000000Z stdout F \n".length();

  private final LogTemplate.Line line;
  private final String name;
  private final long every;
  private final long errorEvery;
  private final long bits;
  private final long start;
  private final long end;
  private final @Nullable Terminated how;

  /** Lines of a file, after which the next one begins. */
  private final long fileLines;

  /** Lines that come at the rate; NEVER while the instance runs. */
  private final long body;

  /**
   * @param state Running or Terminated
   * @param fileBytes after how many the log begins anew, 1 or more
   */
  LogText(Talk talk, long seed, ContainerTarget target, ContainerStateView state, long fileBytes) {
    this.line =
        talk.lineOrDefault()
            .with(
                Map.of(
                    "pod", target.pod().name(),
                    "namespace", target.pod().namespace(),
                    "container", target.container(),
                    "node", target.node()));
    this.name = target.container();
    this.every = talk.rateOrDefault().everyNanos();
    this.errorEvery = talk.errorEveryOrNone();
    this.bits = Hash64.of(seed, target.containerId());
    this.how = state instanceof Terminated ended ? ended : null;
    this.start = nanos(startOf(state));
    Instant finished = how == null ? null : how.finishedAt();
    // an end is told in whole seconds: at the end of that second nothing can come after it
    this.end = how == null ? NEVER : Math.max(start, nanos(finished) + NANOS - 1);
    this.body = how == null ? NEVER : bodyUntil(end);
    // numbers grow, so a late file is a little longer than an early one
    this.fileLines = Math.max(1, fileBytes / (FRAME + line.text(1, bits).length()));
  }

  private static @Nullable Instant startOf(ContainerStateView state) {
    if (state instanceof Running running) {
      return running.startedAt();
    }
    return state instanceof Terminated ended ? ended.startedAt() : null;
  }

  static long nanos(@Nullable Instant time) {
    if (time == null || time.getEpochSecond() < 0) {
      return 0;
    }
    return time.getEpochSecond() > LAST_SECOND
        ? NEVER
        : time.getEpochSecond() * NANOS + time.getNano();
  }

  /** Whether the instance has ended: no more lines come. */
  boolean complete() {
    return how != null;
  }

  /** The first line of the latest file, of those up to {@code count}. */
  long latest(long count) {
    return count < 1 ? 0 : (count - 1) / fileLines * fileLines;
  }

  /** Whether no lines come but those of its start and end. */
  boolean silent() {
    return every == 0;
  }

  /** How many lines there are at a time, nanoseconds since 1970. */
  long count(long now) {
    if (how != null) {
      return body + 2;
    }
    return now < start ? 0 : 1 + bodyUntil(now);
  }

  /** How many lines have come at the rate up to a time. */
  private long bodyUntil(long now) {
    if (every == 0 || now < start) {
      return 0;
    }
    long part = (now - start) / every + 1;
    return time(part) <= now ? part : part - 1;
  }

  /** When a line was written, nanoseconds since 1970. */
  long time(long index) {
    if (index == 0) {
      return start;
    }
    if (how != null && index == body + 1) {
      return end;
    }
    long within = (long) (Hash64.unit(Hash64.of(bits, index)) * every);
    return start + (index - 1) * every + within;
  }

  /** The first line that was written then or later; may be one that is not there yet. */
  long since(long time) {
    if (time <= start) {
      return 0;
    }
    if (time > end) {
      return NEVER;
    }
    long before = bodyUntil(time - 1);
    return Math.min(before, body) + 1;
  }

  /** The first line of a stream from this one on; NEVER when there is none. */
  long next(long index, Stream stream) {
    if (stream == Stream.ALL || index == NEVER) {
      return index;
    }
    boolean errors = stream == Stream.STDERR;
    if (errorEvery == 0) {
      return errors ? NEVER : index;
    }
    if (errors) {
      long wanted = Math.max(1, (index + errorEvery - 1) / errorEvery) * errorEvery;
      return wanted > body ? NEVER : wanted;
    }
    if (!error(index)) {
      return index;
    }
    if (errorEvery == 1) {
      return how == null ? NEVER : body + 1;
    }
    return index + 1;
  }

  private boolean error(long index) {
    return errorEvery > 0 && index > 0 && index <= body && index % errorEvery == 0;
  }

  /** The first of the last so many lines of a stream, of those up to {@code count}. */
  long tail(long count, long lines, Stream stream) {
    long all = upTo(count, stream);
    if (lines >= all) {
      return 0;
    }
    // the most lines to leave out that still leave enough
    long low = 0;
    long high = count;
    while (low < high) {
      long middle = low + (high - low + 1) / 2;
      if (all - upTo(middle, stream) >= lines) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** How many of the first {@code count} lines are of a stream. */
  private long upTo(long count, Stream stream) {
    if (stream == Stream.ALL) {
      return count;
    }
    long errors = errorEvery == 0 || count < 1 ? 0 : Math.min(count - 1, body) / errorEvery;
    return stream == Stream.STDERR ? errors : count - errors;
  }

  LogLine line(long index) {
    long time = time(index);
    return new LogLine(
        Instant.ofEpochSecond(time / NANOS, time % NANOS), error(index), text(index));
  }

  private Buffer text(long index) {
    if (index == 0) {
      return Buffer.buffer("container " + name + " started");
    }
    if (how != null && index == body + 1) {
      return Buffer.buffer("container " + name + " ended with exit code " + how.exitCode());
    }
    return line.text(index, Hash64.of(bits, ~index));
  }
}
