package dev.vertlet.events;

import dev.vertlet.bus.ObjectEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds events that differ in nothing but their message, as client-go's aggregator does: where they
 * come with ten messages and no ten quiet minutes in between, the first nine messages stay events
 * of their own and all others become one. Pure but for its own fields.
 */
final class SimilarEvents {
  /** With this many messages events are no more told apart. */
  static final int MESSAGES = 10;

  /**
   * So long without a similar event, and messages are told apart again; what is combined later is
   * counted in the object of before.
   */
  static final Duration WINDOW = Duration.ofMinutes(10);

  private final Map<Likeness, Group> groups = RecentlyUsed.map(EventCorrelator.MAX_KEYS);

  /** All that similar events share; {@code fieldPath} may differ. */
  private record Likeness(
      String node,
      String kind,
      String namespace,
      String name,
      String uid,
      String type,
      String reason) {
    static Likeness of(ObjectEvent event) {
      return new Likeness(
          event.node(),
          event.kind(),
          event.namespace(),
          event.name(),
          event.uid(),
          event.type(),
          event.reason());
    }
  }

  /** Similar events. */
  static final class Group {
    private final List<String> messages = new ArrayList<>(1);
    private Instant last;

    /** The object that those events are counted in which have none of their own. */
    private EventCorrelator.@Nullable Series combined;

    private Group(Instant first, EventCorrelator.@Nullable Series combined) {
      this.last = first;
      this.combined = combined;
    }

    EventCorrelator.@Nullable Series combined() {
      return combined;
    }

    void combined(EventCorrelator.@Nullable Series replacement) {
      combined = replacement;
    }

    private boolean combines(String message) {
      if (messages.contains(message)) {
        return false;
      }
      if (messages.size() == MESSAGES - 1) {
        return true;
      }
      messages.add(message);
      return false;
    }
  }

  /** Counts the event; its group where it is to be combined with others, or else null. */
  @Nullable Group occurred(ObjectEvent event, Instant now) {
    Likeness likeness = Likeness.of(event);
    Group group = groups.get(likeness);
    if (group == null || Duration.between(group.last, now).compareTo(WINDOW) > 0) {
      group = new Group(now, group == null ? null : group.combined);
      groups.put(likeness, group);
    }
    group.last = now;
    return group.combines(event.message()) ? group : null;
  }

  /** The group of an event that was combined, null when it is forgotten. */
  @Nullable Group groupOf(ObjectEvent event) {
    return groups.get(Likeness.of(event));
  }
}
