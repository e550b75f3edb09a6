package dev.vertlet.configsync;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.vertlet.loop.ConcurrencyLimit;
import io.vertx.core.CompositeFuture;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Timer;
import io.vertx.core.Vertx;
import java.util.function.Supplier;

/**
 * Loads one config at a time, so that a process that dies during a load leaves the mark of that
 * config only. A load of more than 2 s, for example on a hanging disk, lets the next one begin.
 * Confined to one context.
 */
final class LoadTurns {
  private static final long PATIENCE_MILLIS = 2_000;

  private final Vertx vertx;
  private final ConcurrencyLimit turns = new ConcurrencyLimit(1);
  private Future<?> latest = Future.succeededFuture();
  private boolean closed;

  LoadTurns(Vertx vertx) {
    this.vertx = vertx;
  }

  /**
   * Runs the task after the earlier ones.
   *
   * @param task its Future completes on this context
   */
  <T> Future<T> take(Supplier<Future<T>> task) {
    Promise<T> done = Promise.promise();
    turns.run(() -> closed ? Future.succeededFuture() : turn(task, done));
    return done.future();
  }

  /** Completes when the task has ended, or after 2 s. */
  private <T> Future<CompositeFuture> turn(Supplier<Future<T>> task, Promise<T> done) {
    Timer patience = vertx.timer(PATIENCE_MILLIS, MILLISECONDS);
    Future<T> load = task.get().onComplete(done).onComplete(v -> patience.cancel());
    latest = load;
    return Future.any(load.otherwiseEmpty(), patience);
  }

  /**
   * Begins no further task.
   *
   * @return completes when the running task has ended, or after 2 s: an agent that stops during a
   *     load would leave its mark
   */
  Future<?> close() {
    closed = true;
    return Future.any(latest.otherwiseEmpty(), vertx.timer(PATIENCE_MILLIS, MILLISECONDS));
  }
}
