package dev.vertlet.configsync;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Loads one config at a time, so that a process that dies in a load leaves the mark of that one and
 * of no other. A load that takes long, as on a disk that hangs, lets the next one begin. On one
 * context.
 */
final class LoadTurns {
  private static final long PATIENCE_MILLIS = 2_000;

  private final Vertx vertx;
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private boolean taken;
  private Future<?> latest = Future.succeededFuture();

  LoadTurns(Vertx vertx) {
    this.vertx = vertx;
  }

  /**
   * Runs the task when its turn comes.
   *
   * @param task its future completes on this context
   */
  <T> Future<T> take(Supplier<Future<T>> task) {
    Promise<T> done = Promise.promise();
    waiting.add(() -> run(task, done));
    next();
    return done.future();
  }

  /**
   * Begins nothing any more.
   *
   * @return completes when what is under way has ended, or takes long: an agent that stops in the
   *     midst of a load would leave its mark
   */
  Future<?> close() {
    waiting.clear();
    return Future.any(latest.otherwiseEmpty(), vertx.timer(PATIENCE_MILLIS, TimeUnit.MILLISECONDS));
  }

  private void next() {
    Runnable first = taken ? null : waiting.poll();
    if (first != null) {
      taken = true;
      first.run();
    }
  }

  private <T> void run(Supplier<Future<T>> task, Promise<T> done) {
    long patience = vertx.setTimer(PATIENCE_MILLIS, id -> pass());
    latest =
        task.get()
            .onComplete(
                result -> {
                  if (vertx.cancelTimer(patience)) {
                    pass();
                  }
                  done.handle(result);
                });
  }

  private void pass() {
    taken = false;
    next();
  }
}
