package dev.vertlet.harness.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReadinessTest {
  private final Readiness readiness = new Readiness();

  @Test
  void oneThatWasNeverReadyDoesNotFlip() {
    assertThat(readiness.observe("a", false)).isFalse();
    assertThat(readiness.observe("a", true)).isTrue();
    assertThat(readiness.observe("a", true)).isFalse();

    assertThat(readiness.count()).isEqualTo(1);
    assertThat(readiness.flips()).isZero();
  }

  @Test
  void eachLossIsAFlip() {
    readiness.observe("a", true);
    readiness.observe("a", false);
    readiness.observe("a", false);
    readiness.observe("a", true);
    readiness.observe("a", false);

    assertThat(readiness.flips()).isEqualTo(2);
    assertThat(readiness.count()).isZero();
  }

  @Test
  void goingForGoodIsNone() {
    readiness.observe("a", true);
    readiness.gone("a");

    assertThat(readiness.count()).isZero();
    assertThat(readiness.flips()).isZero();
  }
}
