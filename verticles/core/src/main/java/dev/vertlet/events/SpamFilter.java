package dev.vertlet.events;

import dev.vertlet.bus.ObjectEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * Limits the events of a node about an object, per type: a burst of 25, then one more every 5
 * minutes, as client-go's spam filter does. Pure except for its own fields.
 */
final class SpamFilter {
  static final int BURST = 25;

  /** Time per additional event. */
  static final Duration REFILL = Duration.ofMinutes(5);

  private final Map<Subject, Bucket> buckets = RecentlyUsed.map(EventCorrelator.MAX_KEYS);

  private record Subject(
      String node, String kind, String namespace, String name, String uid, String type) {}

  /** Token bucket of a subject, in units of time, so that whole milliseconds are exact. */
  private static final class Bucket {
    private static final long PRICE = REFILL.toMillis();

    private long credit = BURST * PRICE;
    private long filledAt;

    private Bucket(long now) {
      filledAt = now;
    }

    private boolean take(long now) {
      // no tokens if the clock was set back
      long earned = Math.min(BURST * PRICE, Math.max(0, now - filledAt));
      credit = Math.min(BURST * PRICE, credit + earned);
      filledAt = now;
      if (credit < PRICE) {
        return false;
      }
      credit -= PRICE;
      return true;
    }
  }

  /** Counts an event; returns false if it exceeds the limit. */
  boolean allows(ObjectEvent event, Instant now) {
    Subject subject =
        new Subject(
            event.node(), event.kind(), event.namespace(), event.name(), event.uid(), event.type());
    long millis = now.toEpochMilli();
    return buckets.computeIfAbsent(subject, unknown -> new Bucket(millis)).take(millis);
  }
}
