package dev.vertlet.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.PodRef;
import dev.vertlet.provider.failure.FailedTry;
import dev.vertlet.provider.failure.RetryPolicy;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GuardedRetriesTest {
  private static Optional<Duration> ask(RetryPolicy policy) {
    FailedTry failed =
        new FailedTry(
            new PodRef("default", "a", "uid"),
            1,
            Duration.ofMillis(3),
            new IllegalStateException("x"));
    return new GuardedRetries(policy, RetryPolicy.ENDLESS).next(failed, new Random(1));
  }

  @Test
  void aPolicyThatFailsIsReplacedByTheUsualOne() {
    RetryPolicy failing =
        (failed, random) -> {
          throw new IllegalStateException("broken");
        };

    assertThat(ask(failing))
        .hasValueSatisfying(wait -> assertThat(wait).isGreaterThanOrEqualTo(Duration.ofSeconds(1)));
  }

  @Test
  @SuppressWarnings("NullAway") // code that is compiled without it can do this
  void aPolicyThatSaysNullIsReplacedByTheUsualOne() {
    assertThat(ask((failed, random) -> null)).isPresent();
  }

  /** virtual-kubelet §1.6: a delay of the policy's own, sooner than the limiter's, too. */
  @Test
  void aWaitOfThePolicysOwnCountsButDoesNotSpin() {
    assertThat(ask((failed, random) -> Optional.of(Duration.ofHours(1))))
        .contains(Duration.ofHours(1));
    assertThat(ask((failed, random) -> Optional.of(Duration.ofSeconds(-1))))
        .contains(Duration.ofMillis(5));
    assertThat(ask((failed, random) -> Optional.empty())).isEmpty();
  }
}
