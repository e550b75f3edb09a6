package dev.vertlet.kube;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What waits for a place in the window: strict priority between lanes, first come within one. */
final class LaneQueue<E> {
  private final Map<Lane, Deque<E>> lanes = new EnumMap<>(Lane.class);

  LaneQueue() {
    for (Lane lane : Lane.values()) {
      lanes.put(lane, new ArrayDeque<>());
    }
  }

  void add(Lane lane, E element) {
    of(lane).addLast(element);
  }

  /** For an element that was already taken once: it does not lose its turn. */
  void addFirst(Lane lane, E element) {
    of(lane).addFirst(element);
  }

  /** What {@link #poll} would take, null when nothing waits. */
  @Nullable E peek() {
    for (Deque<E> lane : lanes.values()) {
      E first = lane.peekFirst();
      if (first != null) {
        return first;
      }
    }
    return null;
  }

  /** The oldest element of the highest lane, null when nothing waits. */
  @Nullable E poll() {
    for (Deque<E> lane : lanes.values()) {
      E first = lane.pollFirst();
      if (first != null) {
        return first;
      }
    }
    return null;
  }

  void removeIf(Predicate<E> unwanted) {
    lanes.values().forEach(lane -> lane.removeIf(unwanted));
  }

  boolean isEmpty() {
    return peek() == null;
  }

  int size(Lane lane) {
    return of(lane).size();
  }

  @SuppressWarnings("NullAway") // the constructor fills every lane
  private Deque<E> of(Lane lane) {
    return lanes.get(lane);
  }
}
