package dev.vertlet.pods;

import dev.vertlet.provider.RetryPolicy;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Guards a provider's retry policy: uses the default policy if the provider's throws, and waits at
 * least 5 ms, so that a pod that cannot be created does not occupy the event loop.
 */
final class GuardedRetries implements RetryPolicy {
  private static final Logger LOG = LoggerFactory.getLogger(GuardedRetries.class);

  /** virtual-kubelet's first delay. */
  private static final Duration LEAST = Duration.ofMillis(5);

  private final RetryPolicy policy;

  GuardedRetries(RetryPolicy policy) {
    this.policy = Objects.requireNonNull(policy, "the provider's retry policy");
  }

  @Override
  public Optional<Duration> next(int tries, Throwable failure, RandomGenerator random) {
    try {
      return policy
          .next(tries, failure, random)
          .map(wait -> wait.compareTo(LEAST) < 0 ? LEAST : wait);
    } catch (RuntimeException | LinkageError e) {
      LOG.atWarn().addKeyValue("error", e.toString()).log("the provider's retry policy fails");
      return RetryPolicy.ENDLESS.next(tries, failure, random);
    }
  }
}
