package dev.vertlet.simulated;

import dev.vertlet.simulated.rule.DurationRule;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;

/**
 * Runs all deadlines of one runtime with a single timer: a binary heap whose elements know their
 * slot, so that 100,000 containers need one timer and no extra objects.
 */
final class DeadlineQueue {
  /** Deadlines per timer, so that a burst does not block the event loop. */
  static final int MAX_PER_TURN = 512;

  private static final int INITIAL_CAPACITY = 64;

  /** Longest timer: a clock that was set back must not delay the queue for days. */
  private static final long MAX_SLEEP_MILLIS = 60_000;

  private static final long NO_TIMER = Long.MIN_VALUE;

  private final Clock clock;
  private final Timers timers;
  private final ObjLongConsumer<Timed> due;
  private final Runnable wake = this::runDue;
  private Timed[] heap = new Timed[INITIAL_CAPACITY];
  private int size;
  private long timer = NO_TIMER;
  private long timerAt;
  private boolean running;
  private boolean closed;

  /**
   * @param due takes each element after its deadline, with the current time; the element has left
   *     the queue by then
   */
  DeadlineQueue(Clock clock, Timers timers, ObjLongConsumer<Timed> due) {
    this.clock = clock;
    this.timers = timers;
    this.due = due;
  }

  int size() {
    return size;
  }

  /** Moves the element to its deadline; removes an element that is never due. */
  void schedule(Timed element) {
    if (closed || element.deadline() == DurationRule.NEVER_MILLIS) {
      remove(element);
      return;
    }
    if (element.slot == Timed.NOT_QUEUED) {
      if (size == heap.length) {
        heap = Arrays.copyOf(heap, size * 2);
      }
      place(element, size++);
    }
    siftDown(siftUp(element.slot));
    arm();
  }

  /**
   * Makes a call that ends at this time, which may be now or never.
   *
   * @param outcome called then
   */
  <T> Future<T> call(long endsAt, Supplier<Future<T>> outcome) {
    if (endsAt <= clock.millis()) {
      return outcome.get();
    }
    DelayedCall<T> call = new DelayedCall<>(endsAt, outcome);
    schedule(call);
    return call.result();
  }

  void remove(Timed element) {
    int slot = element.slot;
    if (slot == Timed.NOT_QUEUED) {
      return;
    }
    element.slot = Timed.NOT_QUEUED;
    Timed last = heap[--size];
    heap[size] = null;
    if (last != element) {
      place(last, slot);
      siftDown(siftUp(slot));
    }
  }

  /** Stops the timer and returns the elements that were left. */
  List<Timed> close() {
    closed = true;
    disarm();
    return List.of(Arrays.copyOf(heap, size));
  }

  private void runDue() {
    timer = NO_TIMER;
    running = true;
    try {
      long now = clock.millis();
      for (int n = 0; n < MAX_PER_TURN && size > 0 && heap[0].deadline() <= now; n++) {
        Timed first = heap[0];
        remove(first);
        due.accept(first, now);
      }
    } finally {
      running = false;
      arm();
    }
  }

  private void arm() {
    if (running || closed || size == 0) {
      return;
    }
    long now = clock.millis();
    long at = Math.min(heap[0].deadline(), now + MAX_SLEEP_MILLIS);
    if (timer != NO_TIMER && timerAt <= at) {
      return;
    }
    disarm();
    timerAt = at;
    timer = timers.start(Math.max(1, at - now), wake);
  }

  private void disarm() {
    if (timer != NO_TIMER) {
      timers.cancel(timer);
      timer = NO_TIMER;
    }
  }

  private int siftUp(int from) {
    int slot = from;
    Timed element = heap[slot];
    while (slot > 0) {
      int parent = (slot - 1) >>> 1;
      if (heap[parent].deadline() <= element.deadline()) {
        break;
      }
      place(heap[parent], slot);
      slot = parent;
    }
    place(element, slot);
    return slot;
  }

  private void siftDown(int from) {
    int slot = from;
    Timed element = heap[slot];
    while (2 * slot + 1 < size) {
      int child = 2 * slot + 1;
      if (child + 1 < size && heap[child + 1].deadline() < heap[child].deadline()) {
        child++;
      }
      if (heap[child].deadline() >= element.deadline()) {
        break;
      }
      place(heap[child], slot);
      slot = child;
    }
    place(element, slot);
  }

  private void place(Timed element, int slot) {
    heap[slot] = element;
    element.slot = slot;
  }
}
