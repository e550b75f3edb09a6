package dev.vertlet.events;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * What one node has to tell and may not yet: a bucket of tokens, and whoever waits for one in the
 * order of arrival. Pure but for its own fields.
 *
 * @param <E> what waits
 */
final class NodeThrottle<E> {
  /** Of one event, in thousandths: a millisecond earns as many as there may be in a second. */
  private static final long PRICE = 1000;

  private final Deque<E> waiting = new ArrayDeque<>();
  private EventLimit limit;
  private long credit;
  private long filledAt;

  /**
   * @param limit not none
   */
  NodeThrottle(EventLimit limit, long nowMillis) {
    this.limit = limit;
    this.credit = most();
    this.filledAt = nowMillis;
  }

  EventLimit limit() {
    return limit;
  }

  /** Counts from now on; what was earned stays, as far as the burst goes. */
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

  /** Forgets who has waited longest. */
  void dropOldest() {
    waiting.removeFirst();
  }

  /** Those whose turn it is by now. */
  List<E> due(long nowMillis) {
    fill(nowMillis);
    List<E> due = new ArrayList<>();
    while (credit >= PRICE && !waiting.isEmpty()) {
      credit -= PRICE;
      due.add(waiting.removeFirst());
    }
    return due;
  }

  /** All of them: there is no limit any more. */
  List<E> all() {
    List<E> all = List.copyOf(waiting);
    waiting.clear();
    return all;
  }

  /** Until the next one's turn, at least 1. */
  long waitMillis() {
    return Math.max(1, (PRICE - credit + limit.perSecond() - 1) / limit.perSecond());
  }

  private long most() {
    return Math.max(1, limit.burst()) * PRICE;
  }

  /** A clock that was set back earns nothing. */
  private void fill(long nowMillis) {
    long earned = Math.max(0, nowMillis - filledAt) * limit.perSecond();
    credit = Math.min(most(), credit + earned);
    filledAt = nowMillis;
  }
}
