package dev.vertlet.events;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.events.SimilarEvents.Group;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which Event object an event belongs to, so that a crash loop makes one that counts
 * instead of hundreds, and which are too many. Pure but for its own fields; the rules are those of
 * client-go's correlator.
 *
 * <ul>
 *   <li>Equal events are counted in one object, however far apart they are.
 *   <li>Events that differ only in their message are combined in one object from the tenth message
 *       on; see {@link SimilarEvents}.
 *   <li>Of a node's events about one object only some are written; see {@link SpamFilter}. The
 *       others are counted all the same, and show in the count of the next that is.
 * </ul>
 */
final class EventCorrelator {
  /** client-go remembers 4096 keys in each of its caches. */
  static final int MAX_KEYS = 4096;

  private static final String COMBINED = "(combined from similar events): ";

  /**
   * One Event object, as it is after an occurrence.
   *
   * @param name of the Event object
   * @param message of the object, which for combined events is that of the last one
   * @param combined whether events of several messages are counted in it
   * @param count how often it happened, 1 the first time
   * @param written how many of these were to be written, this one included; the first makes the
   *     object
   */
  record Series(
      String name,
      String message,
      boolean combined,
      int count,
      int written,
      Instant first,
      Instant last) {
    /** Whether there is no object yet. */
    boolean isNew() {
      return written == 1;
    }
  }

  private final SimilarEvents similar = new SimilarEvents();
  private final SpamFilter spam = new SpamFilter();
  private final Map<ObjectEvent, Series> series = RecentlyUsed.map(MAX_KEYS);
  private long lastStamp;

  /** Counts this occurrence; null where it is one too many to be written. */
  @Nullable Series occurred(ObjectEvent event, Instant now) {
    Group group = similar.occurred(event, now);
    boolean allowed = spam.allows(event, now);
    Series next = next(event, group, allowed ? 1 : 0, now);
    return allowed ? next : null;
  }

  /**
   * An occurrence was to be counted in an object that is gone: it makes a new one, unless another
   * occurrence has made one since.
   */
  Series again(ObjectEvent event, Series gone, Instant now) {
    Group group = gone.combined() ? similar.groupOf(event) : null;
    Series current = group == null ? series.get(event) : group.combined();
    if (current != null && current.name().equals(gone.name())) {
      forget(event, group);
    }
    return next(event, group, 1, now);
  }

  private void forget(ObjectEvent event, @Nullable Group group) {
    if (group == null) {
      series.remove(event);
    } else {
      group.combined(null);
    }
  }

  private Series next(ObjectEvent event, @Nullable Group group, int written, Instant now) {
    Series before = group == null ? series.get(event) : group.combined();
    String message = group == null ? event.message() : COMBINED + event.message();
    Series next =
        before != null
            ? new Series(
                before.name(),
                message,
                group != null,
                before.count() + 1,
                before.written() + written,
                before.first(),
                now)
            : new Series(name(event, now), message, group != null, 1, written, now, now);
    if (group == null) {
      series.put(event, next);
    } else {
      group.combined(next);
    }
    return next;
  }

  /**
   * Named by the time, as client-go does: lists are in the order of names, and kubectl's are
   * thereby in the order of events, whose timestamps are whole seconds.
   */
  private String name(ObjectEvent event, Instant now) {
    long nanos = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    lastStamp = Math.max(lastStamp + 1, nanos);
    return event.name() + "." + HexFormat.of().toHexDigits(lastStamp);
  }
}
