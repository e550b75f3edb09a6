package dev.vertlet.kube;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a request leaves its lane: a place in the window is free, no 429 is being sat out,
 * and the cap, if there is one, has a token. Confined to the client's context.
 */
final class Dispatcher {
  /** However many scopes end at once, what waits is searched ten times a second at most. */
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
   * @param start sends one exchange; calls {@link #ended} when its place is free again
   */
  Dispatcher(Vertx vertx, Link link, int window, @Nullable Bucket cap, Consumer<Exchange> start) {
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

  /** In front of its lane: it was its turn already. */
  void resubmit(Exchange exchange) {
    queue.addFirst(exchange.request.lane(), exchange);
    drain();
  }

  /** Nothing more leaves for this long; what is in flight goes on. */
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

  /**
   * Something that waits is done: it does not leave its lane any more, and is gone from it soon.
   */
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

  /** Takes everything that still waits out of the lanes. */
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

  /** What was given up costs no token: it is dropped before one is asked for. */
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
