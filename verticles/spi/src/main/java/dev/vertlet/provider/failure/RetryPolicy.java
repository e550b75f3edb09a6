package dev.vertlet.provider.failure;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Decides whether and when to retry a failed operation on a pod, as virtual-kubelet's {@code
 * ShouldRetryFunc}. Called on an event loop; pure except for the random generator.
 */
@FunctionalInterface
public interface RetryPolicy {
  /**
   * One second, doubling to five minutes, plus up to 20% at random, without end: a back end that is
   * down for a day must not leave pods behind.
   */
  RetryPolicy ENDLESS =
      exponential(Duration.ofSeconds(1), Duration.ofMinutes(5), 0.2, Integer.MAX_VALUE);

  /**
   * virtual-kubelet's: 10 ms doubling to 1000 s; after 20 tries, some 55 minutes, no more until the
   * pod changes or is deleted.
   */
  RetryPolicy VIRTUAL_KUBELET = exponential(Duration.ofMillis(10), Duration.ofSeconds(1000), 0, 20);

  /**
   * Decides about the next try.
   *
   * @return how long to wait, zero for an immediate retry; empty to give up
   */
  Optional<Duration> next(FailedTry failed, RandomGenerator random);

  /**
   * Creates a policy of doubling delays.
   *
   * @param first delay after the first failure, above zero
   * @param jitter share of the delay added at random, 0 to 1
   * @param most maximum number of tries
   */
  static RetryPolicy exponential(Duration first, Duration cap, double jitter, int most) {
    return (failed, random) -> {
      if (failed.tries() >= most) {
        return Optional.empty();
      }
      double grown = first.toMillis() * Math.pow(2, failed.tries() - 1);
      double capped = Math.min(grown, cap.toMillis());
      return Optional.of(Duration.ofMillis((long) (capped * (1 + jitter * random.nextDouble()))));
    };
  }
}
