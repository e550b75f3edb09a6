package dev.vertlet.sandbox.pool;

import io.vertx.core.Promise;

/** A claim that has no pod yet. Confined to its pool's loop. */
final class Claim {
  final ClaimRequest request;
  final Promise<Sandbox> promise = Promise.promise();
  final long begun;
  long timer;

  /** A write for it is under way, or waits for its slot. */
  boolean writing;

  /** Nobody waits for it any more: its deadline has passed, or somebody took it back. */
  boolean over;

  /** Somebody took it back, so a pod that it gets goes back, too. */
  boolean cancelled;

  /**
   * @param begun milliseconds of the pool's clock
   */
  Claim(ClaimRequest request, long begun) {
    this.request = request;
    this.begun = begun;
  }
}
