package dev.vertlet.sandbox.pool;

import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;

/** A claim that has no pod yet, and the requests that wait for it. Confined to its pool's loop. */
final class Claim {
  final ClaimRequest request;
  final long begun;
  final List<Waiter> waiters = new ArrayList<>();

  /** A write for it is under way, or waits for its slot. */
  boolean writing;

  /** No request waits for it any more: deadlines have passed, or it was taken back. */
  boolean over;

  /** It was taken back, so a pod that it gets goes back, too. */
  boolean cancelled;

  /** One request. */
  static final class Waiter {
    final Promise<Sandbox> promise = Promise.promise();
    long timer;

    /** Its deadline has passed; only the write that is under way can still be its answer. */
    boolean late;
  }

  /**
   * @param begun milliseconds of the pool's clock
   */
  Claim(ClaimRequest request, long begun) {
    this.request = request;
    this.begun = begun;
  }

  /** Whether there is a request whose deadline has not passed. */
  boolean awaited() {
    return waiters.stream().anyMatch(waiter -> !waiter.late);
  }
}
