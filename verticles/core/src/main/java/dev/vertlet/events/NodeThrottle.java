package dev.vertlet.events;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Rate limit of one node: a token bucket and the elements that wait for tokens, in order. Pure
 * except for its own fields.
 *
 * @param <E> waiting element
 */
final class NodeThrottle<E> {
  /**
   * Tokens per event, in thousandths: each millisecond adds as many as there may be events in a
   * second.
   */
  private static final long PRICE = 1000;

  private final Deque<E> waiting = new ArrayDeque<>();
  private EventLimit limit;
  private long credit;
  private long filledAt;

  /**
   * Creates a full bucket.
   *
   * @param limit with a rate above 0
   */
  NodeThrottle(EventLimit limit, long nowMillis) {
    this.limit = limit;
    this.credit = most();
    this.filledAt = nowMillis;
  }

  EventLimit limit() {
    return limit;
  }

  /** Changes the limit; tokens stay, up to the new burst. */
  void limit(EventLimit other, long nowMillis) {
    fill(nowMillis);
    limit = other;
    credit = Math.min(credit, most());
  }

  void add(E element) {
    waiting.addLast(element);
  }

  int size() {
    return waiting.size();
  }

  /** Drops the oldest element. */
  void dropOldest() {
    waiting.removeFirst();
  }

  /** Takes the elements with a token. */
  List<E> due(long nowMillis) {
    fill(nowMillis);
    List<E> due = new ArrayList<>();
    while (credit >= PRICE && !waiting.isEmpty()) {
      credit -= PRICE;
      due.add(waiting.removeFirst());
    }
    return due;
  }

  /** Takes all elements. */
  List<E> all() {
    List<E> all = List.copyOf(waiting);
    waiting.clear();
    return all;
  }

  /** Milliseconds until the next element's turn, at least 1. */
  long waitMillis() {
    return Math.max(1, (PRICE - credit + limit.perSecond() - 1) / limit.perSecond());
  }

  private long most() {
    return Math.max(1, limit.burst()) * PRICE;
  }

  /** Adds tokens; none if the clock was set back. */
  private void fill(long nowMillis) {
    long earned = Math.max(0, nowMillis - filledAt) * limit.perSecond();
    credit = Math.min(most(), credit + earned);
    filledAt = nowMillis;
  }
}
