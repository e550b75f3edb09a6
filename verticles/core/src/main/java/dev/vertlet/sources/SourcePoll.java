package dev.vertlet.sources;

import dev.vertlet.manifest.SourceContents;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads one source repeatedly. Confined to one context. */
final class SourcePoll implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(SourcePoll.class);

  /** Maximum number of different errors that are logged. */
  private static final int MANY = 5;

  private final Vertx vertx;
  private final String node;
  private final ManifestSource source;
  private final Duration period;
  private final Consumer<SourceContents> heard;

  /** Errors since the source could last be read; {@link #MANY} at most. */
  private final Set<String> complaints = new HashSet<>();

  private long timer = -1;
  private boolean reading;
  private boolean again;
  private boolean stopped;

  /**
   * Creates a poll.
   *
   * @param period from the end of one reading to the next
   * @param heard called with each successful reading, changed or not
   */
  SourcePoll(
      Vertx vertx,
      String node,
      ManifestSource source,
      Duration period,
      Consumer<SourceContents> heard) {
    this.vertx = vertx;
    this.node = node;
    this.source = source;
    this.period = period;
    this.heard = heard;
  }

  /** Reads when a change was detected. */
  @Override
  public void run() {
    read();
  }

  /** Reads now, and periodically from now on. */
  void read() {
    if (stopped) {
      return;
    }
    if (reading) {
      again = true;
      return;
    }
    reading = true;
    vertx.cancelTimer(timer);
    // an exception of the source counts as a failed reading
    Future.<SourceContents>future(promise -> source.read().onComplete(promise))
        .onComplete(answer -> done(answer.result(), answer.cause()));
  }

  private void done(@Nullable SourceContents result, @Nullable Throwable failure) {
    reading = false;
    if (stopped) {
      return;
    }
    if (result != null) {
      recovered();
      heard.accept(result);
    } else {
      failed(reason(failure));
    }
    if (again) {
      again = false;
      read();
    } else {
      timer = vertx.setTimer(Math.max(1, period.toMillis()), id -> read());
    }
  }

  private static String reason(@Nullable Throwable failure) {
    String message = failure == null ? "no answer" : failure.getMessage();
    return message == null ? String.valueOf(failure) : message;
  }

  /** Logs an error once, not with each reading, and not again when two errors alternate. */
  private void failed(String reason) {
    if (complaints.size() < MANY && complaints.add(reason)) {
      LOG.atWarn()
          .addKeyValue("node", node)
          .addKeyValue("source", source.place())
          .addKeyValue("error", reason)
          .log("manifests cannot be read; pods of the last read keep running");
    }
  }

  private void recovered() {
    if (!complaints.isEmpty()) {
      complaints.clear();
      LOG.atInfo()
          .addKeyValue("node", node)
          .addKeyValue("source", source.place())
          .log("manifests can be read again");
    }
  }

  void stop() {
    stopped = true;
    vertx.cancelTimer(timer);
  }
}
