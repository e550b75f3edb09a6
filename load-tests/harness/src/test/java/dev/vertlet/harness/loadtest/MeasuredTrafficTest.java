package dev.vertlet.harness.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.harness.result.Traffic;
import dev.vertlet.harness.scenario.Phase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class MeasuredTrafficTest {
  private Traffic untilNow = Traffic.NONE;
  private final MeasuredTraffic measured = new MeasuredTraffic(() -> untilNow);

  private void phase(boolean warmUp, long requests) {
    Phase phase = new Phase.Hold("p", warmUp, Duration.ofSeconds(1));
    measured.begins(phase);
    pass(requests);
    measured.ended(phase);
  }

  private void pass(long requests) {
    untilNow =
        untilNow.plus(
            new Traffic(
                List.of(new Traffic.Requests("get", "pods", requests, 0, 0, 0)),
                requests,
                requests));
  }

  @Test
  void onlyPhasesThatAreNoWarmUpCount() {
    pass(1);
    phase(true, 10);
    phase(false, 100);
    phase(true, 1_000);
    phase(false, 10_000);
    phase(true, 100_000);

    assertThat(measured.sum().requests())
        .singleElement()
        .extracting(Traffic.Requests::count)
        .isEqualTo(10_100L);
    assertThat(measured.sum().bytesSent()).isEqualTo(10_100);
  }

  @Test
  void withWarmUpsAloneThereIsNone() {
    phase(true, 10);

    assertThat(measured.sum()).isEqualTo(Traffic.NONE);
  }
}
