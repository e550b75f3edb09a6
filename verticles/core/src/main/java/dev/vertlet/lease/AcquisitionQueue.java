package dev.vertlet.lease;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Limits the number of concurrent turns; further elements wait in order.
 *
 * @param <E> element, compared with {@code equals}
 */
final class AcquisitionQueue<E> {
  private final int places;
  private final Set<E> having = new HashSet<>();
  private final Set<E> queued = new HashSet<>();
  private final Deque<E> waiting = new ArrayDeque<>();
  private boolean passing;

  /**
   * Creates a queue without turns.
   *
   * @param places maximum number of concurrent turns, at least 1
   */
  AcquisitionQueue(int places) {
    this.places = places;
  }

  /** Whether {@code who} has a turn, or gets one now; otherwise it waits in the queue. */
  boolean take(E who) {
    if (having.contains(who)) {
      return true;
    }
    if (having.size() < places) {
      having.add(who);
      return true;
    }
    if (queued.add(who)) {
      waiting.addLast(who);
    }
    return false;
  }

  /**
   * Ends the turn of {@code who}, if it has one, and passes turns on to the queue. A loop instead
   * of recursion: thousands may end their turn immediately.
   */
  void end(E who, Consumer<E> next) {
    having.remove(who);
    if (passing) {
      return;
    }
    passing = true;
    try {
      while (having.size() < places && !waiting.isEmpty()) {
        E first = waiting.removeFirst();
        queued.remove(first);
        having.add(first);
        next.accept(first);
      }
    } finally {
      passing = false;
    }
  }
}
