package dev.vertlet.events;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.events.SimilarEvents.Group;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Assigns events to Event objects, so that a crash loop results in one object with a count instead
 * of hundreds, and drops excessive ones. Pure except for its own fields; the rules are those of
 * client-go's correlator.
 *
 * <ul>
 *   <li>Equal events are counted in one object, however far apart they are.
 *   <li>Events that differ only in their message are combined in one object from the tenth message
 *       on; see {@link SimilarEvents}.
 *   <li>A node's events about one object are rate-limited; see {@link SpamFilter}. Dropped events
 *       still increase the count, which the next written event shows.
 * </ul>
 */
final class EventCorrelator {
  /** Maximum number of keys in each of client-go's caches. */
  static final int MAX_KEYS = 4096;

  private static final String COMBINED = "(combined from similar events): ";

  /**
   * State of an Event object after an occurrence.
   *
   * @param name of the Event object
   * @param message of the object; for combined events that of the last one
   * @param combined whether the object counts events of several messages
   * @param count number of occurrences, 1 the first time
   * @param written number of occurrences to write, including this one; the first creates the object
   */
  record Series(
      String name,
      String message,
      boolean combined,
      int count,
      int written,
      Instant first,
      Instant last) {
    /** Whether the object must be created. */
    boolean isNew() {
      return written == 1;
    }
  }

  private final SimilarEvents similar = new SimilarEvents();
  private final SpamFilter spam = new SpamFilter();
  private final Map<ObjectEvent, Series> series = RecentlyUsed.map(MAX_KEYS);
  private long lastStamp;

  /** Counts an occurrence; returns null if it exceeds the rate limit. */
  @Nullable Series occurred(ObjectEvent event, Instant now) {
    Group group = similar.occurred(event, now);
    boolean allowed = spam.allows(event, now);
    Series next = next(event, group, allowed ? 1 : 0, now);
    return allowed ? next : null;
  }

  /**
   * Handles an occurrence whose object is gone: creates a new object, unless another occurrence has
   * created one since.
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
   * Names objects by time, as client-go does: lists are ordered by name, which gives kubectl the
   * order of events, whose timestamps are whole seconds.
   */
  private String name(ObjectEvent event, Instant now) {
    long nanos = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    lastStamp = Math.max(lastStamp + 1, nanos);
    return event.name() + "." + HexFormat.of().toHexDigits(lastStamp);
  }
}
