package dev.vertlet.kube;

import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import java.time.Duration;

/**
 * What one of many who share a client may send of its own. Who asks for more is told how long to
 * wait, and has its turn: nothing is refused. May be called from any thread.
 */
final class RequestBudget {
  private final int perSecond;
  private final int burst;
  private final Bucket bucket;

  /**
   * @param perSecond requests in the long run, at least 1
   * @param burst requests that may go at once; 0 for as many as in a second
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

  /** Takes its place; the nanoseconds until it may go, 0 for at once. */
  long reserve() {
    return Math.max(0, bucket.consumeIgnoringRateLimits(1));
  }
}
