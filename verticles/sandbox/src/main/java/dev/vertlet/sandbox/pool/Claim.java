package dev.vertlet.sandbox.pool;

import dev.vertlet.sandbox.pool.claim.ClaimRequest;
import dev.vertlet.sandbox.pool.claim.Sandbox;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;

/** A claim without a pod, and the requests that wait for it. Confined to its pool's loop. */
final class Claim {
  final ClaimRequest request;
  final long begun;
  final List<Waiter> waiters = new ArrayList<>();

  /** A write for the claim is in progress, or waits for its slot. */
  boolean writing;

  /** No request waits any more: all deadlines have passed, or the claim was cancelled. */
  boolean over;

  /** The claim was cancelled: a pod that it still gets is released. */
  boolean cancelled;

  /** One request. */
  static final class Waiter {
    final Promise<Sandbox> promise = Promise.promise();
    long timer;

    /** The deadline has passed; only the write in progress can still answer the request. */
    boolean late;
  }

  /**
   * Creates a claim.
   *
   * @param begun milliseconds of the pool's clock
   */
  Claim(ClaimRequest request, long begun) {
    this.request = request;
    this.begun = begun;
  }

  /** Whether a request's deadline has not passed yet. */
  boolean awaited() {
    return waiters.stream().anyMatch(waiter -> !waiter.late);
  }
}
