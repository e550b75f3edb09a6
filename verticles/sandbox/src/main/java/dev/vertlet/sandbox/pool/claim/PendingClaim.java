package dev.vertlet.sandbox.pool.claim;

import io.vertx.core.Future;

/**
 * One request of a claim: several requests with one id wait for the same pod.
 *
 * @param sandbox as {@link dev.vertlet.sandbox.pool.Pool#claim} returns it
 * @param leave withdraws this request; withdrawing the last one cancels the claim, and a pod that
 *     it still gets is released. No effect once the request was answered
 */
public record PendingClaim(Future<Sandbox> sandbox, Runnable leave) {
  public static PendingClaim answered(Future<Sandbox> sandbox) {
    return new PendingClaim(sandbox, () -> {});
  }
}
