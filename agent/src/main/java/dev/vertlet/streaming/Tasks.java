package dev.vertlet.streaming;

import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.RejectedExecutionException;

/** Work for the one thread that a connection belongs to. */
final class Tasks {
  private Tasks() {}

  /** Runs the task on the loop: at once when already there, else in its turn. */
  static void run(EventExecutor loop, Runnable task) {
    if (loop.inEventLoop()) {
      task.run();
      return;
    }
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      // the agent has ended, and with it the connection that the task was for
    }
  }
}
