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

  /** Takes everything that still waits out of the lanes. */
  void abandon(Consumer<Exchange> each) {
    for (Exchange waiting = queue.poll(); waiting != null; waiting = queue.poll()) {
      each.accept(waiting);
    }
  }

  /**
   * A loop instead of recursion: thousands may fail at once when the server is away. What was given
   * up while it waited is left out here, so that giving up costs no search.
   */
  private void drain() {
    if (draining) {
      return;
    }
    draining = true;
    try {
      while (inFlight < Math.min(window, link.capacity()) && !queue.isEmpty() && mayGo()) {
        Exchange next = queue.poll();
        if (next != null && !next.done()) {
          inFlight++;
          start.accept(next);
        }
      }
    } finally {
      draining = false;
    }
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
