package dev.vertlet.kube.client;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a request leaves its lane: the window has a free slot, no 429 pause is in effect,
 * and the rate limit, if there is one, has a token. Confined to the client's context.
 */
final class RequestDispatcher {
  /** However many scopes end at once, the queue is swept ten times a second at most. */
  private static final long SWEEP_MILLIS = 100;

  private final Vertx vertx;
  private final Link link;
  private final int window;
  private final @Nullable Bucket cap;
  private final Consumer<Exchange> start;
  private final LaneQueue<Exchange> queue = new LaneQueue<>();
  private int inFlight;
  private boolean draining;
  private long pausedUntilNanos;
  private boolean waking;
  private boolean sweeping;

  /**
   * Creates a dispatcher.
   *
   * @param start sends one exchange; calls {@link #ended} when its slot is free again
   */
  RequestDispatcher(
      Vertx vertx, Link link, int window, @Nullable Bucket cap, Consumer<Exchange> start) {
    this.vertx = vertx;
    this.link = link;
    this.window = window;
    this.cap = cap;
    this.start = start;
    this.pausedUntilNanos = System.nanoTime();
  }

  LaneQueue<Exchange> queue() {
    return queue;
  }

  int inFlight() {
    return inFlight;
  }

  void submit(Exchange exchange) {
    queue.add(exchange.request.lane(), exchange);
    drain();
  }

  /** Puts a request at the head of its lane: it had left the lane before. */
  void resubmit(Exchange exchange) {
    queue.addFirst(exchange.request.lane(), exchange);
    drain();
  }

  /** Holds back all requests for this long; requests in flight continue. */
  void pause(Duration duration) {
    long until = System.nanoTime() + duration.toNanos();
    if (until - pausedUntilNanos > 0) {
      pausedUntilNanos = until;
    }
  }

  void ended() {
    inFlight--;
    drain();
  }

  /** A waiting request has been answered: it will not be sent, and the next sweep removes it. */
  void givenUp() {
    if (!sweeping) {
      sweeping = true;
      vertx.setTimer(
          SWEEP_MILLIS,
          id -> {
            sweeping = false;
            queue.removeIf(Exchange::done);
          });
    }
  }

  /** Removes all waiting requests from the lanes. */
  void abandon(Consumer<Exchange> each) {
    for (Exchange waiting = queue.poll(); waiting != null; waiting = queue.poll()) {
      each.accept(waiting);
    }
  }

  /** A loop instead of recursion: thousands may fail at once when the server is away. */
  private void drain() {
    if (draining) {
      return;
    }
    draining = true;
    try {
      while (inFlight < Math.min(window, link.capacity()) && anyWaits() && mayGo()) {
        Exchange next = queue.poll();
        if (next != null) {
          inFlight++;
          start.accept(next);
        }
      }
    } finally {
      draining = false;
    }
  }

  /** Drops answered requests first, so that they cost no token. */
  private boolean anyWaits() {
    Exchange next = queue.peek();
    while (next != null && next.done()) {
      queue.poll();
      next = queue.peek();
    }
    return next != null;
  }

  private boolean mayGo() {
    long pause = pausedUntilNanos - System.nanoTime();
    if (pause > 0) {
      wakeIn(pause);
      return false;
    }
    if (cap == null) {
      return true;
    }
    ConsumptionProbe probe = cap.tryConsumeAndReturnRemaining(1);
    if (!probe.isConsumed()) {
      wakeIn(probe.getNanosToWaitForRefill());
    }
    return probe.isConsumed();
  }

  private void wakeIn(long nanos) {
    if (waking) {
      return;
    }
    waking = true;
    vertx.setTimer(
        TimeUnit.NANOSECONDS.toMillis(nanos) + 1,
        id -> {
          waking = false;
          drain();
        });
  }
}
