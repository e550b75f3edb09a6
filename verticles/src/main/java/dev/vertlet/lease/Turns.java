package dev.vertlet.lease;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Lets so many at a time do something, and the others wait in the order in which they came.
 *
 * @param <E> who has a turn; told apart by identity or {@code equals}
 */
final class Turns<E> {
  private final int places;
  private final Set<E> having = new HashSet<>();
  private final Set<E> queued = new HashSet<>();
  private final Deque<E> waiting = new ArrayDeque<>();
  private boolean passing;

  /**
   * @param places how many have a turn at one time, at least 1
   */
  Turns(int places) {
    this.places = places;
  }

  /** Whether {@code who} has a turn, or gets one now; if not, it stands in line from now on. */
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
   * The turn of {@code who}, if it has one, is over. Those who get one for it are told; who makes
   * nothing of it gives it back at once, so a loop and no recursion: thousands may.
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
