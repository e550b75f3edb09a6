package dev.vertlet.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class LeaseExpiryTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration DURATION = Duration.ofSeconds(40);

  private final LeaseExpiry expiry = new LeaseExpiry();

  private Duration left(Instant wall, int seconds) {
    return expiry.left(DURATION, wall, Duration.ofSeconds(seconds).toNanos());
  }

  @Test
  void expiresByTheWallClock() {
    expiry.observed(NOW, 0);
    assertThat(left(NOW.plusSeconds(15), 0)).hasSeconds(25);
    assertThat(left(NOW.plusSeconds(41), 0)).isZero();
  }

  @Test
  void expiresWithoutARenewalThoughThisClockIsBehind() {
    Instant behind = NOW.minusSeconds(3_600);
    expiry.observed(NOW, 0);
    assertThat(left(behind, 0)).isEqualTo(DURATION);
    expiry.observed(NOW, Duration.ofSeconds(30).toNanos());
    assertThat(left(behind.plusSeconds(30), 30)).hasSeconds(10);
    assertThat(left(behind.plusSeconds(40), 40)).isZero();
  }

  @Test
  void aRenewalCountsWhateverItsTimeIs() {
    Instant behind = NOW.minusSeconds(3_600);
    expiry.observed(NOW, 0);
    expiry.observed(NOW.minusSeconds(60), Duration.ofSeconds(30).toNanos());
    assertThat(left(behind, 40)).hasSeconds(30);
  }

  @Test
  void hasExpiredBeforeItWasObserved() {
    assertThat(left(NOW, 0)).isZero();
  }
}
