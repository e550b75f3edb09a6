package dev.vertlet.simulated;

/** One-shot timers that run their action on the context the runtime is confined to. */
public interface Timers {
  /**
   * @param delayMillis at least 1
   * @return an id for {@link #cancel}
   */
  long start(long delayMillis, Runnable action);

  void cancel(long id);
}
