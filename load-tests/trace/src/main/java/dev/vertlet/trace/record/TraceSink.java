package dev.vertlet.trace.record;

import dev.vertlet.trace.TraceEvent;
import dev.vertlet.trace.TraceWriter;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes events in batches on a worker, one batch at a time. Confined to the context that made it.
 */
final class TraceSink {
  /** 5 s of at most 1,000 changes a minute: small batches compress badly. */
  static final long INTERVAL_MILLIS = 5000;

  /** Events that are not left waiting, about 1 MB. */
  private static final int FULL = 2000;

  private final Context context;
  private final TraceWriter writer;
  private final Promise<Void> failure = Promise.promise();
  private List<TraceEvent> waiting = new ArrayList<>();
  private Future<Void> writing = Future.succeededFuture();

  TraceSink(Context context, TraceWriter writer) {
    this.context = context;
    this.writer = writer;
  }

  void accept(TraceEvent event) {
    waiting.add(event);
    if (waiting.size() >= FULL && writing.isComplete()) {
      flush();
    }
  }

  /** Fails when the file cannot be written; does not complete otherwise. */
  Future<Void> failure() {
    return failure.future();
  }

  /**
   * Hands what is waiting to the operating system.
   *
   * @return fails with a {@code TraceException}; later calls fail as the first failed
   */
  Future<Void> flush() {
    writing =
        writing.compose(
            done -> {
              if (waiting.isEmpty()) {
                return Future.succeededFuture();
              }
              List<TraceEvent> batch = waiting;
              waiting = new ArrayList<>();
              return context.executeBlocking(
                  () -> {
                    batch.forEach(writer::write);
                    writer.flush();
                    return null;
                  });
            });
    return writing.onFailure(failure::tryFail);
  }
}
