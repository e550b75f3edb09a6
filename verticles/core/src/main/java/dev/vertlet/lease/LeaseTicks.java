package dev.vertlet.lease;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Timers of many elements that share ticks: all that are due within one tick are woken by one
 * timer, so that their requests leave together. Confined to one context.
 *
 * @param <E> element, compared with {@code equals}
 */
final class LeaseTicks<E> {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final Vertx vertx;
  private final LongSupplier nanos;
  private final long length;
  private final Consumer<E> wake;

  /** Elements by the tick that they wait for, counted from the origin of {@code nanos}. */
  private final Map<Long, List<E>> ticks = new HashMap<>();

  /** The newest tick of an element; lists of other ticks may still contain it. */
  private final Map<E, Long> newest = new HashMap<>();

  /**
   * Creates ticks without elements.
   *
   * @param nanos a monotonic clock
   * @param length of one tick, at least 1 ms
   * @param wake called at an element's tick; must not throw
   */
  LeaseTicks(Vertx vertx, LongSupplier nanos, Duration length, Consumer<E> wake) {
    this.vertx = vertx;
    this.nanos = nanos;
    this.length = length.toNanos();
    this.wake = wake;
  }

  /** Wakes an element at the first tick after {@code delay}, instead of at an earlier choice. */
  void wake(E element, Duration delay) {
    long now = nanos.getAsLong();
    long tick = -Math.floorDiv(-(now + delay.toNanos()), length);
    Long before = newest.put(element, tick);
    if (before != null && before == tick) {
      return;
    }
    List<E> sharing = ticks.get(tick);
    if (sharing == null) {
      sharing = new ArrayList<>();
      ticks.put(tick, sharing);
      long millis = -Math.floorDiv(-(tick * length - now), NANOS_PER_MILLI);
      vertx.setTimer(Math.max(1, millis), id -> onTick(tick));
    }
    sharing.add(element);
  }

  private void onTick(long tick) {
    List<E> sharing = ticks.remove(tick);
    if (sharing == null) {
      return;
    }
    for (E element : sharing) {
      if (newest.remove(element, tick)) {
        wake.accept(element);
      }
    }
  }
}
