package dev.vertlet.configsync;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Loads one config at a time, so that a process that dies during a load leaves the mark of that
 * config only. A load of more than 2 s, for example on a hanging disk, lets the next one begin.
 * Confined to one context.
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
   * Runs the task after the earlier ones.
   *
   * @param task its Future completes on this context
   */
  <T> Future<T> take(Supplier<Future<T>> task) {
    Promise<T> done = Promise.promise();
    waiting.add(() -> run(task, done));
    next();
    return done.future();
  }

  /**
   * Begins no further task.
   *
   * @return completes when the running task has ended, or after 2 s: an agent that stops during a
   *     load would leave its mark
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
