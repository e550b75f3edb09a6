package dev.vertlet.events;

import dev.vertlet.bus.ObjectEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Finds out whether an event was written before, so that a crash loop makes one Event that counts
 * instead of hundreds. Pure.
 *
 * <p>An event is the same when everything in it is equal, as client-go's correlator has it for
 * unaggregated events.
 */
final class EventCorrelator {
  /** client-go's eventsAggregator cache holds 4096 entries. */
  static final int MAX_SERIES = 4096;

  /** client-go's aggregation window: 10 min. */
  static final Duration WINDOW = Duration.ofMinutes(10);

  /**
   * One Event object.
   *
   * @param name of the Event object
   * @param count how often it happened, 1 the first time
   */
  record Series(String name, int count, Instant first, Instant last) {}

  private final Map<ObjectEvent, Series> series =
      new LinkedHashMap<>(64, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ObjectEvent, Series> eldest) {
          return size() > MAX_SERIES;
        }
      };

  private long lastStamp;

  /** Counts this occurrence. */
  Series occurred(ObjectEvent event, Instant now) {
    Series before = series.get(event);
    Series next =
        before != null && before.last().plus(WINDOW).isAfter(now)
            ? new Series(before.name(), before.count() + 1, before.first(), now)
            : new Series(name(event, now), 1, now, now);
    series.put(event, next);
    return next;
  }

  /** This Event object is gone; the next occurrence makes a new one, unless one was made since. */
  void forget(ObjectEvent event, Series gone) {
    Series current = series.get(event);
    if (current != null && current.name().equals(gone.name())) {
      series.remove(event);
    }
  }

  /**
   * Named by the time, as client-go does: lists are in the order of names, and kubectl's are
   * thereby in the order of events, whose timestamps are whole seconds.
   */
  private String name(ObjectEvent event, Instant now) {
    long nanos = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    lastStamp = Math.max(lastStamp + 1, nanos);
    return event.name() + "." + String.format("%016x", lastStamp);
  }
}
