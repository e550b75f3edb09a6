package dev.vertlet.simulated.shell;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one at a time, in the order they come, on the thread that finds none running. A task
 * that brings another one is done before that one begins, so that long chains need no deep stack.
 */
public final class Serial {
  private static final Logger LOG = LoggerFactory.getLogger(Serial.class);

  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicInteger pending = new AtomicInteger();

  /** Runs the task now, or lets the thread that is busy run it next. Never waits. */
  public void run(Runnable task) {
    tasks.add(task);
    if (pending.getAndIncrement() != 0) {
      return;
    }
    do {
      perform(tasks.remove());
    } while (pending.decrementAndGet() != 0);
  }

  private static void perform(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException e) {
      // one task that fails must not keep the others from running
      LOG.atError().setCause(e).log("A simulated stream met an error of its own");
    }
  }
}
