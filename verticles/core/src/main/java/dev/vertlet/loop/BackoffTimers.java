package dev.vertlet.loop;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Keeps at most one timer for each element in back-off: the newest delay counts, however many
 * updates arrive meanwhile. Confined to its loop.
 */
public final class BackoffTimers<T> {
  private final CoreLoop loop;
  private final Consumer<T> retry;
  private final Map<T, Long> timers = new HashMap<>();

  /**
   * Creates an empty set of timers.
   *
   * @param retry called on the loop
   */
  public BackoffTimers(CoreLoop loop, Consumer<T> retry) {
    this.loop = loop;
    this.retry = retry;
  }

  /** Schedules a retry after {@code delay}, at least 1 ms; replaces an earlier timer. */
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

  /** Returns the elements that wait now. */
  public List<T> waiting() {
    return List.copyOf(timers.keySet());
  }
}
