package dev.vertlet.kube.client;

import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import java.time.Duration;

/**
 * Request rate of one of the senders that share a client. A sender above its rate waits; no request
 * is refused. May be called from any thread.
 */
final class RequestBudget {
  private final int perSecond;
  private final int burst;
  private final Bucket bucket;

  /**
   * Creates a budget.
   *
   * @param perSecond sustained requests per second, at least 1
   * @param burst requests that may leave at once; 0 for as many as in one second
   */
  RequestBudget(int perSecond, int burst) {
    this.perSecond = perSecond;
    this.burst = burst;
    this.bucket =
        Bucket.builder()
            .addLimit(
                Bandwidth.builder()
                    .capacity(burst > 0 ? burst : perSecond)
                    .refillGreedy(perSecond, Duration.ofSeconds(1))
                    .build())
            .withNanosecondPrecision()
            .build();
  }

  boolean is(int otherPerSecond, int otherBurst) {
    return perSecond == otherPerSecond && burst == otherBurst;
  }

  /** Reserves a place; returns the nanoseconds to wait, 0 for none. */
  long reserve() {
    return Math.max(0, bucket.consumeIgnoringRateLimits(1));
  }
}
