package dev.vertlet.status;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Queue of pods with a status to write, each at most once: the status is chosen when the pod's turn
 * comes, so that all changes while it waits become one write. Pods that only need the removal of
 * their object come first, as that ends all work on them; otherwise first come, first served.
 */
final class WriteQueue {
  private final Set<StatusEntry> removals = new LinkedHashSet<>();
  private final Set<StatusEntry> others = new LinkedHashSet<>();

  /** Adds a pod; a waiting one keeps its place, unless it has become a removal. */
  void add(StatusEntry entry) {
    if (entry.onlyRemovalIsLeft()) {
      others.remove(entry);
      removals.add(entry);
    } else if (!removals.contains(entry)) {
      others.add(entry);
    }
  }

  /** Returns null if the queue is empty. */
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
