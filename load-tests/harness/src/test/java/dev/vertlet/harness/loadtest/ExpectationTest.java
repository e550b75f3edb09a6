package dev.vertlet.harness.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.harness.scenario.Arrival;
import dev.vertlet.harness.scenario.Lifetime;
import dev.vertlet.harness.scenario.Phase;
import dev.vertlet.harness.scenario.Placement;
import dev.vertlet.harness.scenario.Scenario;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExpectationTest {
  private static Duration expectation(Phase... phases) {
    return Expectation.of(
        new Scenario(
            "s", "", 50, 1, Placement.BOUND, 1, 30, 7, List.of(phases), List.of(), List.of()));
  }

  @Test
  void everyObjectTakesSomeTime() {
    assertThat(
            expectation(new Phase.Create("c", false, 100, new Arrival.Burst(64), Optional.empty())))
        .isEqualTo(Duration.ofSeconds(120 + 1 + 2));
  }

  @Test
  void ratesLivesAndHoldsTakeTheirs() {
    assertThat(
            expectation(
                new Phase.Create(
                    "c",
                    false,
                    101,
                    new Arrival.Constant(0.1),
                    Optional.of(new Lifetime.Fixed(Duration.ofHours(1)))),
                new Phase.Hold("h", false, Duration.ofDays(1))))
        .isEqualTo(
            Duration.ofSeconds(120 + 1)
                .plusMillis(202 * 20)
                .plusSeconds(2 * (1_000 + 3_600))
                .plusSeconds(30)
                .plus(Duration.ofDays(2)));
  }

  @Test
  void podsThatGoHaveTheirGrace() {
    Phase create = new Phase.Create("c", false, 100, new Arrival.Burst(64), Optional.empty());
    Phase delete = new Phase.Delete("d", false, 100, new Arrival.Burst(64));

    assertThat(expectation(create, delete))
        .isEqualTo(Duration.ofSeconds(120 + 1 + 2 + 2).plusSeconds(30));
  }
}
