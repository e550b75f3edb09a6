package dev.vertlet.loop;

import dev.vertlet.provider.failure.FailedTry;
import dev.vertlet.provider.failure.RetryPolicy;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Guards the retry policy of a provider or of an embedding program: uses another policy if theirs
 * throws, and waits at least 5 ms, so that an operation that always fails does not occupy the event
 * loop.
 */
public final class GuardedRetries implements RetryPolicy {
  private static final Logger LOG = LoggerFactory.getLogger(GuardedRetries.class);

  /** virtual-kubelet's first delay. */
  private static final Duration LEAST = Duration.ofMillis(5);

  private final RetryPolicy policy;
  private final RetryPolicy usual;

  /**
   * Guards a policy.
   *
   * @param usual decides when {@code policy} throws
   */
  public GuardedRetries(RetryPolicy policy, RetryPolicy usual) {
    this.policy = Objects.requireNonNull(policy, "the retry policy");
    this.usual = usual;
  }

  @Override
  public Optional<Duration> next(FailedTry failed, RandomGenerator random) {
    try {
      return policy.next(failed, random).map(wait -> wait.compareTo(LEAST) < 0 ? LEAST : wait);
    } catch (RuntimeException | LinkageError e) {
      LOG.atWarn().addKeyValue("error", e.toString()).log("a retry policy fails");
      return usual.next(failed, random);
    }
  }
}
