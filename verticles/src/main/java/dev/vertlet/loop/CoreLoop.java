package dev.vertlet.loop;

import io.vertx.core.Future;
import io.vertx.core.Promise;

/** The one thread the core's state belongs to, and its timer. */
public interface CoreLoop {
  /** Runs the task on the loop: at once when already there, else as soon as possible. */
  void run(Runnable task);

  /** Runs the task on the loop after everything that already waits there. */
  void later(Runnable task);

  /**
   * One shot.
   *
   * @param delayMillis taken for 1 when it is less
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
