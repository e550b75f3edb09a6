package dev.vertlet.simulated.stream;

import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.provider.stream.ContainerTarget;
import dev.vertlet.provider.stream.LogLine;
import dev.vertlet.provider.stream.LogRequest.Stream;
import dev.vertlet.simulated.rule.ContainerOutput;
import dev.vertlet.simulated.rule.Hash64;
import dev.vertlet.simulated.rule.LogTemplate;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Log of one instance, of which no line is stored: rules, seed, instance and start time determine
 * the lines, their times and their text. Line 0 reports the start. Lines 1, 2, … follow at the
 * configured rate, each at a drawn time within its interval. The last line reports the end. Every
 * look-up takes the same short time, however long the log is.
 */
public final class LogText {
  private static final long NANOS = 1_000_000_000L;

  /** Latest second whose nanoseconds fit in a long; later times count as never. */
  private static final long LAST_SECOND = Long.MAX_VALUE / NANOS - 1;

  private static final long NEVER = Long.MAX_VALUE;

  /** Length of a log file's line besides the text: time, stream, tag and line end. */
  private static final int FRAME = "2026-01-01T00:00:00.000000000Z stdout F \n".length();

  private final LogTemplate.Line line;
  private final String name;
  private final long every;
  private final long errorEvery;
  private final long bits;
  private final long start;
  private final long end;
  private final @Nullable Terminated how;

  /** Lines of one log file before rotation. */
  private final long fileLines;

  /** Lines at the configured rate; NEVER while the instance runs. */
  private final long body;

  /**
   * @param state Running or Terminated
   * @param fileBytes bytes at which the log is rotated, 1 or more
   */
  public LogText(
      ContainerOutput talk,
      long seed,
      ContainerTarget target,
      ContainerStateView state,
      long fileBytes) {
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
    // the end is in whole seconds: no line comes after the end of that second
    this.end = how == null ? NEVER : Math.max(start, nanos(finished) + NANOS - 1);
    this.body = how == null ? NEVER : bodyUntil(end);
    // numbers grow, so a late file is slightly longer than an early one
    this.fileLines = Math.max(1, fileBytes / (FRAME + line.text(1, bits).length()));
  }

  private static @Nullable Instant startOf(ContainerStateView state) {
    if (state instanceof Running running) {
      return running.startedAt();
    }
    return state instanceof Terminated ended ? ended.startedAt() : null;
  }

  public static long nanos(@Nullable Instant time) {
    if (time == null || time.getEpochSecond() < 0) {
      return 0;
    }
    return time.getEpochSecond() > LAST_SECOND
        ? NEVER
        : time.getEpochSecond() * NANOS + time.getNano();
  }

  /** Returns whether the instance has ended and no more lines come. */
  boolean complete() {
    return how != null;
  }

  /** Returns the first line of the current log file, among the first {@code count} lines. */
  long latest(long count) {
    return count < 1 ? 0 : (count - 1) / fileLines * fileLines;
  }

  /** Returns whether there are only the lines of start and end. */
  boolean silent() {
    return every == 0;
  }

  /** Counts the lines up to a time in nanoseconds since 1970. */
  public long count(long now) {
    if (how != null) {
      return body + 2;
    }
    return now < start ? 0 : 1 + bodyUntil(now);
  }

  /** Counts the lines at the configured rate up to a time. */
  private long bodyUntil(long now) {
    if (every == 0 || now < start) {
      return 0;
    }
    long part = (now - start) / every + 1;
    return time(part) <= now ? part : part - 1;
  }

  /** Returns the time of a line, nanoseconds since 1970. */
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

  /** Returns the first line at or after this time; it may lie in the future. */
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

  /** Returns the first line of a stream at or after this one; NEVER when there is none. */
  public long next(long index, Stream stream) {
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

  /** Returns the first of a stream's last {@code lines} of the first {@code count} lines. */
  long tail(long count, long lines, Stream stream) {
    long all = upTo(count, stream);
    if (lines >= all) {
      return 0;
    }
    // find the most lines to skip that still leave enough
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

  /** Counts the lines of a stream among the first {@code count} lines. */
  private long upTo(long count, Stream stream) {
    if (stream == Stream.ALL) {
      return count;
    }
    long errors = errorEvery == 0 || count < 1 ? 0 : Math.min(count - 1, body) / errorEvery;
    return stream == Stream.STDERR ? errors : count - errors;
  }

  public LogLine line(long index) {
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
