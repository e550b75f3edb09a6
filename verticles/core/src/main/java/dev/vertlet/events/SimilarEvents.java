package dev.vertlet.events;

import dev.vertlet.bus.ObjectEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Combines events that differ only in their message, as client-go's aggregator does: if ten
 * messages occur without a pause of ten minutes, the first nine remain separate events and all
 * others become one. Pure except for its own fields.
 */
final class SimilarEvents {
  /** Number of messages from which on events are combined. */
  static final int MESSAGES = 10;

  /**
   * After a pause of this length, messages are separate again; events combined later are counted in
   * the previous object.
   */
  static final Duration WINDOW = Duration.ofMinutes(10);

  private final Map<Likeness, Group> groups = RecentlyUsed.map(EventCorrelator.MAX_KEYS);

  /** Fields that similar events share; {@code fieldPath} may differ. */
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

  /** A group of similar events. */
  static final class Group {
    private final List<String> messages = new ArrayList<>(1);
    private Instant last;

    /** Object of the combined events. */
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

  /** Counts an event; returns its group if it must be combined, else null. */
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

  /** Returns the group of a combined event, null if it was dropped. */
  @Nullable Group groupOf(ObjectEvent event) {
    return groups.get(Likeness.of(event));
  }
}
