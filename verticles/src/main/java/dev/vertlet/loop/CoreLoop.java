package dev.vertlet.loop;

/** The thread that the core's state is confined to, and its timers. */
public interface CoreLoop {
  /** Runs the task on the loop: immediately if called on the loop, else as soon as possible. */
  void run(Runnable task);

  /** Runs the task on the loop after all tasks that already wait there. */
  void later(Runnable task);

  /**
   * Sets a one-shot timer.
   *
   * @param delayMillis values below 1 count as 1
   * @return for {@link #cancelTimer}
   */
  long setTimer(long delayMillis, Runnable task);

  void cancelTimer(long id);
}
