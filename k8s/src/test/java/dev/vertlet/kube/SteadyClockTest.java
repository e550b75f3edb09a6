package dev.vertlet.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.ManualClock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SteadyClockTest {
  private final ManualClock wall = new ManualClock();
  private final Instant start = wall.instant();
  private long nanos = 42;
  private final SteadyClock clock = new SteadyClock(wall, () -> nanos);

  @Test
  void goesByTheWallClockThatNobodySets() {
    for (int i = 1; i <= 100; i++) {
      pass(Duration.ofMillis(10));
      assertThat(clock.instant()).isEqualTo(wall.instant());
    }
  }

  @Test
  void comesNearerByAQuarterOfTheTimeToAClockThatWasSetForward() {
    wall.advance(Duration.ofHours(1));

    assertThat(clock.instant()).isEqualTo(start);
    pass(Duration.ofSeconds(10));
    assertThat(clock.instant()).isEqualTo(start.plusMillis(12_500));
    pass(Duration.ofHours(4));
    assertThat(clock.instant()).isEqualTo(wall.instant());
  }

  @Test
  void goesOnWhenTheWallClockWasSetBack() {
    wall.advance(Duration.ofHours(-1));

    pass(Duration.ofSeconds(10));
    assertThat(clock.instant()).isEqualTo(start.plusMillis(7_500));
    pass(Duration.ofHours(4));
    assertThat(clock.instant()).isEqualTo(wall.instant());
  }

  @Test
  void takesTheTimeAtOnceThatWasMissed() {
    wall.advance(Duration.ofHours(3));

    assertThat(clock.instant()).isEqualTo(wall.instant());
  }

  private void pass(Duration time) {
    wall.advance(time);
    nanos += time.toNanos();
  }
}
