package dev.vertlet.harness.load;

import dev.vertlet.harness.scenario.Arrival;
import dev.vertlet.harness.scenario.Arrivals;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.PrimitiveIterator;
import java.util.concurrent.CancellationException;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** Sends numbered requests according to an {@link Arrival}. Confined to one event-loop context. */
final class PacedRequests {
  /** Interval between checks for due requests: the finest timer of Vert.x. */
  private static final long TICK_MILLIS = 1;

  /** Sender of one numbered request. */
  interface Request {
    /**
     * Sends the request.
     *
     * @param latencyFrom start of its latency, in nanoseconds of {@code nanos}: its due time, or
     *     its send time in a burst
     * @return fails when further requests are pointless
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

  /**
   * Sends all requests; completes when all are answered. Fails with the first failure and then
   * sends no more.
   *
   * @param arrival arrival process with a time for each request
   */
  Future<Void> run(Arrival arrival, RandomGenerator random) {
    if (count == 0) {
      done.tryComplete();
    } else if (arrival instanceof Arrival.Burst burst) {
      for (int i = 0; i < Math.min(count, burst.window()); i++) {
        sendNext();
      }
    } else {
      new Schedule(Arrivals.due(arrival, random)).tick();
    }
    return done.future();
  }

  /** Stops sending; {@link #run} fails unless all requests are answered. */
  void cancel() {
    done.tryFail(new CancellationException("no more requests are to be sent"));
  }

  private void sendNext() {
    if (next < count && !done.future().isComplete()) {
      send(nanos.getAsLong()).onSuccess(answer -> sendNext());
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

  /** Sends requests when they are due. */
  private final class Schedule {
    private final PrimitiveIterator.OfLong times;
    private final long start = nanos.getAsLong();
    private long due;

    Schedule(PrimitiveIterator.OfLong times) {
      this.times = times;
      this.due = times.nextLong();
    }

    void tick() {
      long elapsed = nanos.getAsLong() - start;
      while (wanted() && due <= elapsed) {
        send(start + due);
        if (wanted()) {
          due = times.nextLong();
        }
      }
      if (wanted()) {
        context.owner().setTimer(TICK_MILLIS, id -> tick());
      }
    }

    private boolean wanted() {
      return next < count && !done.future().isComplete();
    }
  }
}
