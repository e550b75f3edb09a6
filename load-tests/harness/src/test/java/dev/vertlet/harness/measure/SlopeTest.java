package dev.vertlet.harness.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.vertlet.harness.result.Latencies;
import dev.vertlet.harness.result.PhaseResult;
import dev.vertlet.harness.result.Resources.Sample;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlopeTest {
  private static PhaseResult phase(boolean warmUp, double began, double seconds) {
    return new PhaseResult(
        "p", warmUp, began, seconds, 0, 0, 0, 0, 0, Latencies.NONE, Latencies.NONE, 0, List.of());
  }

  @Test
  void isThatOfTheBestLineThroughPhasesThatAreNoWarmUp() {
    List<Sample> samples =
        List.of(
            new Sample(0, 0, 10),
            new Sample(5, 0, 90),
            new Sample(10, 0, 100),
            new Sample(20, 0, 102),
            new Sample(30, 0, 101),
            new Sample(40, 0, 103),
            new Sample(50, 0, 500));

    assertThat(Slope.mebibytesPerHour(samples, List.of(phase(true, 0, 5), phase(false, 10, 30))))
        .isCloseTo(0.08 * 3_600, within(1e-9));
  }

  @Test
  void oneSampleHasNone() {
    assertThat(Slope.mebibytesPerHour(List.of(new Sample(1, 0, 5)), List.of(phase(false, 0, 9))))
        .isZero();
    assertThat(Slope.mebibytesPerHour(List.of(), List.of())).isZero();
  }
}
