package dev.vertlet.streaming.session;

import io.netty.util.concurrent.EventExecutor;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;

/**
 * Runs the tasks of a connection on its event loop, in the order in which they were given,
 * whichever threads gave them. A task that the loop itself gives runs at once, after those that
 * other threads have given before: what a command writes from two threads, one after the other,
 * must reach the client in that order.
 *
 * <p>Thread-safe.
 */
public final class LoopTasks {
  private final EventExecutor loop;
  private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

  public LoopTasks(EventExecutor loop) {
    this.loop = loop;
  }

  /** Runs the task: before this returns when called on the loop, else later. */
  public void run(Runnable task) {
    waiting.add(task);
    if (loop.inEventLoop()) {
      runWaiting();
    } else {
      runLater();
    }
  }

  private void runWaiting() {
    try {
      for (Runnable task = waiting.poll(); task != null; task = waiting.poll()) {
        task.run();
      }
    } finally {
      if (!waiting.isEmpty()) {
        runLater(); // a task has failed, which concerns its caller alone
      }
    }
  }

  private void runLater() {
    try {
      loop.execute(this::runWaiting);
    } catch (RejectedExecutionException e) {
      // the loop has ended, and with it the tasks' connection
    }
  }
}
