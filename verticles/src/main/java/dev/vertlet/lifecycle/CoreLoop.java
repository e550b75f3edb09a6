package dev.vertlet.lifecycle;

/** The one thread the core's state belongs to, and its timer. */
interface CoreLoop {
  /** Runs the task on the loop: at once when already there, else as soon as possible. */
  void run(Runnable task);

  /** Runs the task on the loop after everything that already waits there. */
  void later(Runnable task);

  /**
   * One shot.
   *
   * @return for {@link #cancelTimer}
   */
  long setTimer(long delayMillis, Runnable task);

  void cancelTimer(long id);
}
