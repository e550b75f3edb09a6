package dev.vertlet.simulated.shell;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one at a time, in order of arrival, on the first thread that finds none running. A
 * task that adds another one finishes first, so that long chains need no deep stack.
 */
public final class Serial {
  private static final Logger LOG = LoggerFactory.getLogger(Serial.class);

  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicInteger pending = new AtomicInteger();

  /** Runs the task now, or leaves it to the thread that runs tasks already. Never waits. */
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
      // a failed task must not keep the others from running
      LOG.atError().setCause(e).log("simulated stream failed");
    }
  }
}
