package dev.vertlet.harness.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.harness.result.Latencies;
import dev.vertlet.harness.result.LiveHeap;
import dev.vertlet.harness.result.PhaseResult;
import dev.vertlet.harness.result.Resources;
import dev.vertlet.harness.result.Resources.Sample;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CostsTest {
  private static PhaseResult phase(String name) {
    return new PhaseResult(
        name, false, 0, 10, 0, 0, 0, 0, 0, Latencies.NONE, Latencies.NONE, 0, List.of());
  }

  private static ProcessUsage usage(int cpuMillis, double residentMiB) {
    return new ProcessUsage(Duration.ofMillis(cpuMillis), residentMiB, residentMiB + 5);
  }

  @Test
  void eachPhaseHasItsOwnCpuTime() {
    Costs costs = new Costs(usage(100, 50));
    costs.begin(usage(110, 50));
    costs.end(usage(300, 80));
    costs.begin(usage(310, 80));
    costs.end(usage(330, 60));
    List<PhaseResult> phases = List.of(phase("up"), phase("down"), phase("not begun"));

    assertThat(costs.of(phases))
        .extracting(PhaseResult::cpuMillis)
        .containsExactly(190.0, 20.0, 0.0);
    List<Sample> samples = List.of(new Sample(0, 0, 1));
    assertThat(costs.resources(phases, samples))
        .isEqualTo(new Resources(50, 80, 60, 65, 0, samples));
  }

  @Test
  void aHeapIsThatOfThePhasesBothEnds() {
    Costs costs = new Costs(usage(100, 50));
    costs.heap(1_000);
    costs.heap(3_000);

    assertThat(costs.of(List.of(phase("up"), phase("not begun"))))
        .extracting(PhaseResult::heap)
        .containsExactly(Optional.of(new LiveHeap(1_000, 3_000)), Optional.empty());
  }

  @Test
  void withoutAPhaseThereIsTheBeginning() {
    assertThat(new Costs(usage(100, 50)).resources(List.of(), List.of()))
        .isEqualTo(new Resources(50, 50, 50, 55, 0, List.of()));
  }

  @Test
  void whatTookTheProcessesPlaceGoesOnFromItsFigures() {
    assertThat(usage(100, 50).then(usage(20, 30)))
        .isEqualTo(new ProcessUsage(Duration.ofMillis(120), 30, 55));
  }
}
