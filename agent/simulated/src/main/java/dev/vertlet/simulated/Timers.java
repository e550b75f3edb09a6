package dev.vertlet.simulated;

/** Starts one-shot timers that run on the context the runtime is confined to. */
public interface Timers {
  /**
   * Starts a timer.
   *
   * @param delayMillis at least 1
   * @return an id for {@link #cancel}
   */
  long start(long delayMillis, Runnable action);

  void cancel(long id);
}
