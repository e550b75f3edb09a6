package dev.vertlet.harness.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CountsTest {
  private static final Counts UP = new Counts(3, "up", 20, 20, 0, 0, 0, 1, 4.5, 9.0);

  @Test
  void ofTheirOwnPhaseAreAsTheyAre() {
    assertThat(UP.of("up")).isSameAs(UP);
  }

  @Test
  void ofTheNextPhaseAreNothingButTheNodes() {
    assertThat(UP.of("down")).isEqualTo(new Counts(3, "down", 0, 0, 0, 0, 0, 0, 0, 0));
  }
}
