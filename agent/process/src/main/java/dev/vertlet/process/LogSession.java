package dev.vertlet.process;

import dev.vertlet.provider.LogRequest;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.WriteStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Sends a log to one client. Runs on the shard's loop; reads on worker threads. */
final class LogSession {
  /** Pause before a follower looks for new lines. */
  private static final long PAUSE_MILLIS = 100;

  private final Vertx vertx;
  private final Context context;
  private final Instance instance;
  private final LogCursor cursor;
  private final boolean follow;
  private final WriteStream<Buffer> out;
  private final AtomicBoolean gone = new AtomicBoolean();
  private final Promise<Void> done = Promise.promise();

  LogSession(Vertx vertx, Instance instance, LogRequest request, WriteStream<Buffer> out) {
    this.vertx = vertx;
    this.context = vertx.getOrCreateContext();
    this.instance = instance;
    this.cursor = new LogCursor(new LogSegments(instance.directory()), request);
    this.follow = request.follow();
    this.out = out;
  }

  /** Sends until the end of the log, or of the client. */
  Future<Void> send(Future<Void> clientGone) {
    clientGone.onComplete(left -> gone.set(true));
    step();
    return done.future().eventually(this::close);
  }

  private Future<Void> close() {
    return vertx.executeBlocking(
        () -> {
          cursor.close();
          return null;
        },
        false);
  }

  private record Step(@Nullable Buffer lines, boolean full) {}

  private void step() {
    if (gone.get()) {
      done.tryComplete();
      return;
    }
    // before the read: what an ended container wrote is all there
    boolean ended = instance.ended();
    vertx
        .executeBlocking(this::read, false)
        .onComplete(
            result -> {
              if (result.failed()) {
                done.tryFail(result.cause());
                return;
              }
              Step step = result.result();
              if (step.lines() == null) {
                pause(ended);
              } else {
                write(step.lines(), step.full());
              }
            });
  }

  private Step read() {
    try {
      return new Step(cursor.read(), cursor.full());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void pause(boolean ended) {
    if (!follow || ended || instance.forgotten()) {
      done.tryComplete();
    } else {
      vertx.setTimer(PAUSE_MILLIS, timer -> step());
    }
  }

  private void write(Buffer lines, boolean full) {
    Future<Void> written = lines.length() == 0 ? Future.succeededFuture() : out.write(lines);
    if (full) {
      written.onComplete(result -> context.runOnContext(v -> done.tryComplete()));
      return;
    }
    written.onFailure(failure -> gone.set(true));
    if (!out.writeQueueFull()) {
      context.runOnContext(v -> step());
      return;
    }
    // a drain between the check and the handler is made up for by the write's completion
    AtomicBoolean continued = new AtomicBoolean();
    Runnable next =
        () -> {
          if (continued.compareAndSet(false, true)) {
            context.runOnContext(v -> step());
          }
        };
    out.drainHandler(drained -> next.run());
    written.onComplete(result -> next.run());
  }
}
