package dev.vertlet.status;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Pods whose status waits to be written, each at most once: what is written is decided when its
 * turn comes, so that the changes of the time it waited become one write. Pods whose object only
 * has to be removed come first, as that ends all work on them; otherwise first come, first served.
 */
final class WriteQueue {
  private final Set<StatusEntry> removals = new LinkedHashSet<>();
  private final Set<StatusEntry> others = new LinkedHashSet<>();

  /** One that waits already keeps its place, unless it has become a removal. */
  void add(StatusEntry entry) {
    if (entry.onlyRemovalIsLeft()) {
      others.remove(entry);
      removals.add(entry);
    } else if (!removals.contains(entry)) {
      others.add(entry);
    }
  }

  /** Null when nothing waits. */
  @Nullable StatusEntry poll() {
    StatusEntry first = poll(removals);
    return first == null ? poll(others) : first;
  }

  private static @Nullable StatusEntry poll(Set<StatusEntry> waiting) {
    Iterator<StatusEntry> all = waiting.iterator();
    if (!all.hasNext()) {
      return null;
    }
    StatusEntry first = all.next();
    all.remove();
    return first;
  }

  int size() {
    return removals.size() + others.size();
  }

  boolean isEmpty() {
    return removals.isEmpty() && others.isEmpty();
  }
}
