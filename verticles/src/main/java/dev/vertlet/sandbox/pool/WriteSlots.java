package dev.vertlet.sandbox.pool;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/** Limits the number of concurrent writes; further ones wait in a queue. */
final class WriteSlots {
  private final int slots;
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private int taken;

  WriteSlots(int slots) {
    this.slots = slots;
  }

  /** Number of writes in progress. */
  int taken() {
    return taken;
  }

  /**
   * Runs a write.
   *
   * @param write called when there is a slot; must not throw
   */
  <T> Future<T> run(Supplier<Future<T>> write) {
    if (taken < slots) {
      return begin(write);
    }
    Promise<T> done = Promise.promise();
    waiting.add(() -> begin(write).onComplete(done));
    return done.future();
  }

  private <T> Future<T> begin(Supplier<Future<T>> write) {
    taken++;
    return write.get().onComplete(done -> end());
  }

  private void end() {
    taken--;
    Runnable next = waiting.poll();
    if (next != null) {
      next.run();
    }
  }
}
