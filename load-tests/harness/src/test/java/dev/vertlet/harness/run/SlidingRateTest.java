package dev.vertlet.harness.run;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SlidingRateTest {
  private final SlidingRate rate = new SlidingRate();

  private void at(int second, long done) {
    rate.add(SECONDS.toNanos(second), done);
  }

  @Test
  void isNothingBeforeTwoLooks() {
    assertThat(rate.perSecond()).isZero();
    at(1, 10);
    assertThat(rate.perSecond()).isZero();
  }

  @Test
  void isThatOfTheLastSecondsAlone() {
    at(0, 0);
    at(10, 10_000);
    for (int second = 11; second <= 15; second++) {
      at(second, 10_000 + 5L * (second - 10));
    }

    assertThat(rate.perSecond()).isEqualTo(5);
    assertThat(rate).hasToString("5.0/s");
  }

  @Test
  void aStallIsSeen() {
    at(0, 0);
    at(1, 2_000);
    assertThat(rate).hasToString("2,000/s");
    at(4, 2_000);

    assertThat(rate).hasToString("0.0/s");
  }

  @Test
  void isForgottenWithItsStep() {
    at(0, 0);
    at(1, 50);
    rate.reset();

    assertThat(rate.perSecond()).isZero();
  }
}
