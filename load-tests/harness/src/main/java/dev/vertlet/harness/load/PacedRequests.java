package dev.vertlet.harness.load;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.CancellationException;
import java.util.function.LongSupplier;

/** Sends numbered requests at a {@link Pace}. Confined to one event-loop context. */
final class PacedRequests {
  /** Between two looks at what is due: the finest timer Vert.x has. */
  private static final long TICK_MILLIS = 1;

  /** One request. */
  interface Request {
    /**
     * Sends it.
     *
     * @param latencyFrom when its latency begins, in the nanoseconds of {@code nanos}
     * @return fails when there is no point in going on
     */
    Future<?> send(int index, long latencyFrom);
  }

  private final Context context;
  private final LongSupplier nanos;
  private final int count;
  private final Request request;
  private final Promise<Void> done = Promise.promise();
  private int next;
  private int answered;

  PacedRequests(Context context, LongSupplier nanos, int count, Request request) {
    this.context = context;
    this.nanos = nanos;
    this.count = count;
    this.request = request;
  }

  /** Completes when all are answered; fails with the first that fails, and sends no more then. */
  Future<Void> run(Pace pace) {
    if (count == 0) {
      done.tryComplete();
    } else if (pace instanceof Pace.Constant constant) {
      tick(constant, nanos.getAsLong());
    } else {
      for (int i = 0; i < Math.min(count, Pace.BURST_WINDOW); i++) {
        sendNext();
      }
    }
    return done.future();
  }

  /** Sends no more; {@link #run} fails when not all are answered yet. */
  void cancel() {
    done.tryFail(new CancellationException("no more requests are to be sent"));
  }

  private void sendNext() {
    if (next < count && !done.future().isComplete()) {
      send(nanos.getAsLong()).onSuccess(answer -> sendNext());
    }
  }

  private void tick(Pace.Constant pace, long start) {
    long elapsed = nanos.getAsLong() - start;
    while (next < count && pace.dueNanos(next) <= elapsed && !done.future().isComplete()) {
      send(start + pace.dueNanos(next));
    }
    if (next < count && !done.future().isComplete()) {
      context.owner().setTimer(TICK_MILLIS, id -> tick(pace, start));
    }
  }

  private Future<?> send(long latencyFrom) {
    return request
        .send(next++, latencyFrom)
        .onSuccess(
            answer -> {
              answered++;
              if (answered == count) {
                done.tryComplete();
              }
            })
        .onFailure(done::tryFail);
  }
}
