package dev.vertlet.tck;

import java.time.Duration;

/**
 * Measures time by how often another thread of this process had a turn, so that a pause of the
 * process or a busy machine does not count as time that a call took. May be read by any thread.
 */
final class Ticks implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofMillis(10);

  private final Thread thread = new Thread(this::run, "tck-ticks");
  private volatile long count;

  Ticks() {
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      for (long turns = 1; ; turns++) {
        Thread.sleep(PERIOD.toMillis());
        count = turns;
      }
    } catch (InterruptedException closed) {
      // the end of the lab
    }
  }

  /** Time since the start; never more than really passed. */
  Duration elapsed() {
    return PERIOD.multipliedBy(count);
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
