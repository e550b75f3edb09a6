package dev.vertlet.streaming;

import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.RejectedExecutionException;

/** Runs work on the thread of a connection. */
final class LoopTasks {
  private LoopTasks() {}

  /** Runs the task on the loop: at once when called there, else queued. */
  static void run(EventExecutor loop, Runnable task) {
    if (loop.inEventLoop()) {
      task.run();
      return;
    }
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      // the loop has ended, and with it the task's connection
    }
  }
}
