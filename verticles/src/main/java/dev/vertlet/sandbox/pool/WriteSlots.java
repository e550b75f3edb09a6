package dev.vertlet.sandbox.pool;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/** Lets so many writes be under way and no more; the others wait in line. */
final class WriteSlots {
  private final int slots;
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private int taken;

  WriteSlots(int slots) {
    this.slots = slots;
  }

  /** How many are under way. */
  int taken() {
    return taken;
  }

  /**
   * @param write begins when there is a slot, and must not throw
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
