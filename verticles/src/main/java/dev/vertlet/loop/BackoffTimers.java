package dev.vertlet.loop;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * At most one timer for each thing that backs off: the newest delay counts, however many updates
 * come meanwhile. Confined to its loop.
 */
public final class BackoffTimers<T> {
  private final CoreLoop loop;
  private final Consumer<T> retry;
  private final Map<T, Long> timers = new HashMap<>();

  /**
   * @param retry called on the loop
   */
  public BackoffTimers(CoreLoop loop, Consumer<T> retry) {
    this.loop = loop;
    this.retry = retry;
  }

  /** Retries after {@code delay}, 1 ms at least, instead of when it was armed for before. */
  public void arm(T subject, Duration delay) {
    long timer =
        loop.setTimer(
            Math.max(1, delay.toMillis()),
            () -> {
              timers.remove(subject);
              retry.accept(subject);
            });
    Long before = timers.put(subject, timer);
    if (before != null) {
      loop.cancelTimer(before);
    }
  }
}
