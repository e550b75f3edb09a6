package dev.vertlet.kube.client;

import dev.vertlet.kube.Lane;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Requests that wait for a slot in the in-flight window: strict priority between lanes, first come,
 * first served within a lane.
 */
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

  /** Puts an element at the head of its lane: it had been taken before. */
  void addFirst(Lane lane, E element) {
    of(lane).addFirst(element);
  }

  /** The element that {@link #poll} would take, null when the queue is empty. */
  @Nullable E peek() {
    for (Deque<E> lane : lanes.values()) {
      E first = lane.peekFirst();
      if (first != null) {
        return first;
      }
    }
    return null;
  }

  /** Takes the oldest element of the highest lane, null when the queue is empty. */
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
