package dev.vertlet.simulated.stream;

import dev.vertlet.provider.stream.LogLine;
import dev.vertlet.provider.stream.LogRequest;
import dev.vertlet.provider.stream.LogSelection;
import dev.vertlet.simulated.shell.Alarm;
import dev.vertlet.simulated.shell.Output;
import dev.vertlet.simulated.shell.Serial;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Streams one log to one reader. It generates at most one chunk ahead of the reader and later lines
 * when they are due. It stores no lines.
 */
public final class LogSession {
  /** Bytes of one chunk. */
  private static final int PIECE = 32 * 1024;

  /** Milliseconds; lines at shorter intervals are written together. */
  private static final long SHORTEST_SLEEP = 20;

  /** Milliseconds; a clock that was set back must not delay a reader's lines for days. */
  private static final long LONGEST_SLEEP = 60_000;

  private final LogRequest request;
  private final LogSelection selection;
  private final Output out;
  private final Output err;
  private final Clock clock;
  private final Alarm alarm;
  private final Serial serial;
  private final Promise<Void> done = Promise.promise();
  private LogText text;
  private long next;
  private long until;
  private boolean writing;
  private boolean released;
  private @Nullable Runnable sleep;

  /**
   * @param text log as of now
   * @param out standard output
   * @param err standard error; may be {@code out}
   */
  public LogSession(
      LogRequest request,
      LogText text,
      Output out,
      Output err,
      Clock clock,
      Alarm alarm,
      Serial serial) {
    this.request = request;
    this.selection = new LogSelection(request);
    this.text = text;
    this.out = out;
    this.err = err;
    this.clock = clock;
    this.alarm = alarm;
    this.serial = serial;
    this.until = text.count(now());
    Long tail = request.tailLines();
    long since = request.since() == null ? 0 : text.since(LogText.nanos(request.since()));
    long last = tail == null ? 0 : text.tail(until, tail, request.stream());
    this.next = Math.max(text.latest(until), Math.max(since, last));
  }

  private long now() {
    return LogText.nanos(clock.instant());
  }

  /** Completes when everything is written or the reader has gone. */
  public Future<Void> run() {
    serial.run(this::write);
    return done.future();
  }

  /**
   * Handles the end of the instance.
   *
   * @param whole the complete log; null when it is unknown
   */
  public void end(@Nullable LogText whole) {
    serial.run(
        () -> {
          released = whole == null;
          text = whole == null ? text : whole;
          wake();
          write();
        });
  }

  /** Stops: the reader has gone. */
  public void stop() {
    serial.run(this::finish);
  }

  private void finish() {
    wake();
    done.tryComplete();
  }

  private void wake() {
    if (sleep != null) {
      sleep.run();
      sleep = null;
    }
  }

  private void write() {
    if (writing || done.future().isComplete()) {
      return;
    }
    if (request.follow()) {
      until = text.count(now());
    }
    Buffer lines = Buffer.buffer();
    Buffer errors = out == err ? lines : Buffer.buffer();
    next = text.next(next, request.stream());
    while (next < until && Math.max(lines.length(), errors.length()) < PIECE && !selection.full()) {
      LogLine line = text.line(next);
      selection.append(line, line.error() ? errors : lines);
      next = text.next(next + 1, request.stream());
    }
    if (lines.length() + errors.length() > 0) {
      writing = true;
      out.write(lines);
      if (errors != lines) {
        err.write(errors);
      }
      out.whenReady(() -> err.whenReady(this::taken));
    } else if (!request.follow() || text.complete() || released || selection.full()) {
      finish();
    } else {
      sleep();
    }
  }

  private void taken() {
    writing = false;
    if (out.broken() || err.broken()) {
      finish();
    } else {
      write();
    }
  }

  private void sleep() {
    // a line that never comes has no time; the end of the instance resumes the session
    long at = next == Long.MAX_VALUE || text.silent() ? Long.MAX_VALUE : text.time(next);
    long millis = TimeUnit.NANOSECONDS.toMillis(at - now()) + 1;
    long delay = Math.max(SHORTEST_SLEEP, Math.min(LONGEST_SLEEP, millis));
    sleep =
        alarm.set(
            delay,
            () ->
                serial.run(
                    () -> {
                      sleep = null;
                      write();
                    }));
  }
}
