package dev.vertlet.kube;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Exponential back-off as a value.
 *
 * @param min first delay, above zero
 * @param max cap, at least {@code min}
 * @param factor growth per attempt, at least 1
 * @param jitter share of the delay added at random, 0 to 1
 */
public record Backoff(Duration min, Duration max, double factor, double jitter) {
  /** Number of attempts for which the server's Retry-After replaces the own back-off. */
  private static final int PATIENCE = 10;

  public Backoff {
    if (min.isNegative() || min.isZero()) {
      throw new IllegalArgumentException("backoff.min must be above 0, got " + min);
    }
    if (max.compareTo(min) < 0) {
      throw new IllegalArgumentException("backoff.max must be at least " + min + ", got " + max);
    }
    if (!(factor >= 1)) {
      throw new IllegalArgumentException("backoff.factor must be at least 1, got " + factor);
    }
    if (!(jitter >= 0 && jitter <= 1)) {
      throw new IllegalArgumentException("backoff.jitter must be in [0, 1], got " + jitter);
    }
  }

  /**
   * The delay before try number {@code attempt + 1}.
   *
   * @param attempt number of failed tries, 1 for the first failure
   */
  public Duration delay(int attempt, RandomGenerator random) {
    double grown = min.toMillis() * Math.pow(factor, Math.max(0, attempt - 1));
    double capped = Math.min(grown, max.toMillis());
    return Duration.ofMillis((long) (capped * (1 + jitter * random.nextDouble())));
  }

  /**
   * Returns the server's Retry-After, up to {@code max}, with jitter: the server knows when it has
   * capacity again, and growing delays would prolong an overload for its victims. After {@value
   * #PATIENCE} attempts, as in client-go, or without a Retry-After, {@link #delay} decides.
   */
  public Duration delay(int attempt, RandomGenerator random, KubeException failure) {
    Duration own = delay(attempt, random);
    Duration asked = failure.retryAfter().orElse(Duration.ZERO);
    if (asked.isZero() || asked.isNegative()) {
      return own;
    }
    Duration believed = asked.compareTo(max) > 0 ? max : asked;
    if (attempt > PATIENCE) {
      return own.compareTo(believed) >= 0 ? own : believed;
    }
    return believed.plusMillis((long) (believed.toMillis() * jitter * random.nextDouble()));
  }
}
