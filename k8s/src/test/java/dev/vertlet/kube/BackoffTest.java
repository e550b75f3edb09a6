package dev.vertlet.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.vertlet.kube.KubeException.Kind;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackoffTest {
  private final Backoff plain = new Backoff(Duration.ofMillis(800), Duration.ofSeconds(30), 2, 0);

  @ParameterizedTest
  @CsvSource({"1,800", "2,1600", "3,3200", "6,25600", "7,30000", "2147483647,30000"})
  void doublesUpToItsCap(int attempt, long millis) {
    assertThat(plain.delay(attempt, new Random(1))).isEqualTo(Duration.ofMillis(millis));
  }

  @Test
  void jitterOnlyAdds() {
    Backoff jittered = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1), 2, 1);
    Random random = new Random(1);
    for (int i = 0; i < 1000; i++) {
      assertThat(jittered.delay(1, random))
          .isBetween(Duration.ofMillis(100), Duration.ofMillis(200));
    }
  }

  @ParameterizedTest
  @CsvSource({"5,5000", "3600,30000", "0,800"})
  void believesTheServerUpToItsCap(long retryAfterSeconds, long millis) {
    var throttled =
        new KubeException(
            Kind.THROTTLED, 429, "slow down", Duration.ofSeconds(retryAfterSeconds), null);

    Duration delay = plain.delay(1, new Random(1), throttled);
    assertThat(delay).isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @CsvSource({"2,2000", "10,2000", "11,30000"})
  void waitsNoLongerThanTheServerAskedUntilItHasAskedTooOften(int attempt, long millis) {
    var throttled =
        new KubeException(Kind.THROTTLED, 429, "slow down", Duration.ofSeconds(2), null);

    Duration delay = plain.delay(attempt, new Random(1), throttled);
    assertThat(delay).isEqualTo(Duration.ofMillis(millis));
  }

  @Test
  void refusesWhatMakesNoSense() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Backoff(Duration.ZERO, Duration.ofSeconds(1), 2, 0))
        .withMessageContaining("backoff.min");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Backoff(Duration.ofSeconds(2), Duration.ofSeconds(1), 2, 0))
        .withMessageContaining("backoff.max");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(2), 0.5, 0))
        .withMessageContaining("backoff.factor");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(2), 2, Double.NaN))
        .withMessageContaining("backoff.jitter");
  }
}
