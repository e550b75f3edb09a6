package dev.vertlet.loop;

/** The one thread the core's state belongs to, and its timer. */
public interface CoreLoop {
  /** Runs the task on the loop: at once when already there, else as soon as possible. */
  void run(Runnable task);

  /** Runs the task on the loop after everything that already waits there. */
  void later(Runnable task);

  /**
   * One shot.
   *
   * @param delayMillis taken for 1 when it is less
   * @return for {@link #cancelTimer}
   */
  long setTimer(long delayMillis, Runnable task);

  void cancelTimer(long id);
}
