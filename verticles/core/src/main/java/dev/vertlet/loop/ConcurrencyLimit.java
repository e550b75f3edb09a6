package dev.vertlet.loop;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Supplier;

/** Limits the number of concurrent tasks; further ones wait in order. Confined to one context. */
public final class ConcurrencyLimit {
  private final int limit;
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private int running;

  /**
   * @param limit maximum number of concurrent tasks, at least 1
   */
  public ConcurrencyLimit(int limit) {
    this.limit = limit;
  }

  /** Number of tasks in progress. */
  public int running() {
    return running;
  }

  public boolean isIdle() {
    return running == 0 && waiting.isEmpty();
  }

  /**
   * Runs a task, perhaps later.
   *
   * @param task must not throw; its Future completes on this context
   * @return completes as the task does
   */
  public <T> Future<T> run(Supplier<Future<T>> task) {
    if (running < limit) {
      return begin(task);
    }
    Promise<T> done = Promise.promise();
    waiting.add(() -> begin(task).onComplete(done));
    return done.future();
  }

  private <T> Future<T> begin(Supplier<Future<T>> task) {
    running++;
    return task.get()
        .onComplete(
            done -> {
              running--;
              Runnable next = waiting.poll();
              if (next != null) {
                next.run();
              }
            });
  }
}
