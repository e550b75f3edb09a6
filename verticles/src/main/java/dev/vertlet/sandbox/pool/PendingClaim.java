package dev.vertlet.sandbox.pool;

import io.vertx.core.Future;

/**
 * One request's share of a claim: several requests with one id wait for the same pod.
 *
 * @param sandbox as {@link Pool#claim} answers it
 * @param leave says that this request waits no more; the last one that leaves takes the claim back,
 *     and what it gets all the same is released. Does nothing once the request was answered
 */
public record PendingClaim(Future<Sandbox> sandbox, Runnable leave) {
  static PendingClaim answered(Future<Sandbox> sandbox) {
    return new PendingClaim(sandbox, () -> {});
  }
}
