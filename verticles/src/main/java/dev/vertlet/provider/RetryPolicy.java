package dev.vertlet.provider;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * What is done after a create or update that failed and may be tried again. Called on the shard's
 * context; pure but for the dice.
 */
@FunctionalInterface
public interface RetryPolicy {
  /**
   * One second, doubling to five minutes, up to a fifth more by chance, without end: a back end
   * that is down for a day must not leave pods behind.
   */
  RetryPolicy ENDLESS =
      exponential(Duration.ofSeconds(1), Duration.ofMinutes(5), 0.2, Integer.MAX_VALUE);

  /**
   * virtual-kubelet's: 10 ms doubling to 1000 s, and after 20 tries, some 55 minutes, no more until
   * the pod changes or is deleted.
   */
  RetryPolicy VIRTUAL_KUBELET = exponential(Duration.ofMillis(10), Duration.ofSeconds(1000), 0, 20);

  /**
   * @param tries how often it was tried, at least 1; all tries failed
   * @param failure of the last one
   * @return how long to wait, zero for at once; empty to give up until the pod's spec changes or it
   *     is deleted
   */
  Optional<Duration> next(int tries, Throwable failure, RandomGenerator random);

  /**
   * Delays that double.
   *
   * @param first after the first failure, above zero
   * @param jitter share of the delay added at random, 0 to 1
   * @param most tries in all
   */
  static RetryPolicy exponential(Duration first, Duration cap, double jitter, int most) {
    return (tries, failure, random) -> {
      if (tries >= most) {
        return Optional.empty();
      }
      double grown = first.toMillis() * Math.pow(2, tries - 1);
      double capped = Math.min(grown, cap.toMillis());
      return Optional.of(Duration.ofMillis((long) (capped * (1 + jitter * random.nextDouble()))));
    };
  }
}
