package dev.vertlet.loop;

import io.vertx.core.Future;
import io.vertx.core.Promise;

/** The one thread the core's state belongs to, and its timer. */
public interface CoreLoop {
  /** Runs the task on the loop: immediately if called on the loop, else as soon as possible. */
  void run(Runnable task);

  /** Runs the task on the loop after all tasks that already wait there. */
  void later(Runnable task);

  /**
   * Sets a one-shot timer.
   *
   * @param delayMillis values below 1 count as 1
   * @return for {@link #cancelTimer}
   */
  long setTimer(long delayMillis, Runnable task);

  void cancelTimer(long id);

  /** The same future, completed on the loop: what is chained to it may touch the core's state. */
  default <T> Future<T> bring(Future<T> future) {
    Promise<T> promise = Promise.promise();
    future.onComplete(
        result ->
            run(
                () -> {
                  if (result.succeeded()) {
                    promise.complete(result.result());
                  } else {
                    promise.fail(result.cause());
                  }
                }));
    return promise.future();
  }
}
