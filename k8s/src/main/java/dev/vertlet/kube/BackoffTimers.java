package dev.vertlet.kube;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * At most one timer for each thing that backs off: the newest delay counts, however many updates
 * come meanwhile. Confined to the context of its owner.
 */
public final class BackoffTimers<T> {
  private final Vertx vertx;
  private final Consumer<T> retry;
  private final Map<T, Long> timers = new HashMap<>();

  /**
   * @param retry called on the context that armed the timer
   */
  public BackoffTimers(Vertx vertx, Consumer<T> retry) {
    this.vertx = vertx;
    this.retry = retry;
  }

  /** Retries after {@code delay}, 1 ms at least, instead of when it was armed for before. */
  public void arm(T subject, Duration delay) {
    long timer =
        vertx.setTimer(
            Math.max(1, delay.toMillis()),
            id -> {
              timers.remove(subject);
              retry.accept(subject);
            });
    Long before = timers.put(subject, timer);
    if (before != null) {
      vertx.cancelTimer(before);
    }
  }
}
