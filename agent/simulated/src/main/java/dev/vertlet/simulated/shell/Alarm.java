package dev.vertlet.simulated.shell;

/** Calls back after a time. */
public interface Alarm {
  /**
   * @param delayMillis at least 1
   * @param action runs on any thread
   * @return cancels it
   */
  Runnable set(long delayMillis, Runnable action);
}
