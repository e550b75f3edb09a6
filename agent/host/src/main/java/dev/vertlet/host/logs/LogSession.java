package dev.vertlet.host.logs;

import dev.vertlet.provider.stream.LogRequest;
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

/**
 * Sends the log of a container to one client. Used by the context that creates it, the shard's
 * loop; reads on worker threads.
 */
public final class LogSession {
  /** Pause before a follower looks for new lines. */
  private static final long PAUSE_MILLIS = 100;

  /** State of the container whose log is sent. Called by the session's context. */
  public interface Writer {
    /** Whether it writes no more. */
    boolean ended();

    /** Whether this agent has left it to another one. */
    boolean forgotten();
  }

  private final Vertx vertx;
  private final Context context;
  private final Writer writer;
  private final LogCursor cursor;
  private final boolean follow;
  private final WriteStream<Buffer> out;
  private final AtomicBoolean gone = new AtomicBoolean();
  private final Promise<Void> done = Promise.promise();

  /**
   * @param out to the client
   */
  public LogSession(
      Vertx vertx, LogFiles files, Writer writer, LogRequest request, WriteStream<Buffer> out) {
    this.vertx = vertx;
    this.context = vertx.getOrCreateContext();
    this.writer = writer;
    this.cursor = new LogCursor(files, request);
    this.follow = request.follow();
    this.out = out;
  }

  /**
   * Sends until the end of the log, or of the client. To be called once.
   *
   * @param clientGone completes when the client takes no more
   * @return fails with an {@link UncheckedIOException} if the log cannot be read
   */
  public Future<Void> send(Future<Void> clientGone) {
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
    boolean ended = writer.ended();
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
    if (!follow || ended || writer.forgotten()) {
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
