package dev.vertlet.registry;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Supplier;

/** Limits the number of concurrent tasks; further ones wait in a queue. Confined to one context. */
final class ConcurrencyLimit {
  private final int width;
  private final Queue<Runnable> line = new ArrayDeque<>();
  private int inside;

  ConcurrencyLimit(int width) {
    this.width = width;
  }

  <T> Future<T> pass(Supplier<Future<T>> task) {
    if (inside < width) {
      return enter(task);
    }
    Promise<T> done = Promise.promise();
    line.add(() -> enter(task).onComplete(done));
    return done.future();
  }

  boolean isIdle() {
    return inside == 0 && line.isEmpty();
  }

  private <T> Future<T> enter(Supplier<Future<T>> task) {
    inside++;
    return task.get()
        .onComplete(
            done -> {
              inside--;
              Runnable next = line.poll();
              if (next != null) {
                next.run();
              }
            });
  }
}
