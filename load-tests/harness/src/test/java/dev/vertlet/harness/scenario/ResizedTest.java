package dev.vertlet.harness.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ResizedTest {
  private static final Arrival BURST = new Arrival.Burst(64);

  private static Scenario scenario(Phase... phases) {
    return new Scenario(
        "s", "", 2, 1, Placement.BOUND, 1, 30, 7, List.of(phases), List.of(), List.of());
  }

  @Test
  void theLargestPhaseHasThatManyPodsAndTheOthersFollow() {
    Phase.Hold hold = new Phase.Hold("h", false, Duration.ofSeconds(1));
    Scenario resized =
        Resized.pods(
            scenario(
                new Phase.Create("w", true, 15, BURST, Optional.empty()),
                new Phase.Create("c", false, 100, BURST, Optional.empty()),
                new Phase.Update("u", false, 200, BURST),
                hold,
                new Phase.Delete("d", false, 115, BURST)),
            10);

    assertThat(resized.phases())
        .containsExactly(
            new Phase.Create("w", true, 2, BURST, Optional.empty()),
            new Phase.Create("c", false, 10, BURST, Optional.empty()),
            new Phase.Update("u", false, 20, BURST),
            hold,
            new Phase.Delete("d", false, 12, BURST));
  }

  @Test
  void otherNodesChangeNothingElse() {
    Scenario before = scenario(new Phase.Create("c", false, 100, BURST, Optional.empty()));

    Scenario resized = Resized.nodes(before, 9);

    assertThat(resized.nodes()).isEqualTo(9);
    assertThat(Resized.nodes(resized, 2)).isEqualTo(before);
  }

  @Test
  void whatHasNoSizeHasNoOther() {
    Arrival trace = new Arrival.Trace(List.of(Duration.ZERO));

    assertThatThrownBy(
            () -> Resized.pods(scenario(new Phase.Hold("h", false, Duration.ofSeconds(1))), 5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the scenario s has no phase that creates pods");
    assertThatThrownBy(
            () ->
                Resized.pods(scenario(new Phase.Create("c", false, 1, trace, Optional.empty())), 5))
        .hasMessage("the scenario s follows a trace, which says how many");
  }
}
