package dev.vertlet.harness.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.vertlet.harness.result.Latencies;
import dev.vertlet.harness.result.PhaseResult;
import dev.vertlet.harness.scenario.Phase;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PhaseMeterTest {
  private static final long MILLI = 1_000_000;
  private static final long BEGAN = -5_000 * MILLI;

  private final PhaseMeter meter = new PhaseMeter(TestPlans.create("p", 2), BEGAN, 12.5);

  private static long at(long millis) {
    return BEGAN + millis * MILLI;
  }

  @Test
  void takesTheTimeFromTheFirstRequestToTheLastArrival() {
    meter.create(2, at(100));
    meter.ready(at(100), at(600));
    meter.ready(at(100), at(2_100));

    PhaseResult result = meter.result(at(9_000));

    assertThat(result.name()).isEqualTo("p");
    assertThat(result.beganSeconds()).isEqualTo(12.5);
    assertThat(result.seconds()).isEqualTo(2);
    assertThat(result.perSecond()).isEqualTo(1);
    assertThat(result.create().p50()).isCloseTo(500, within(1.0));
    assertThat(result.create().max()).isCloseTo(2_000, within(2.0));
    assertThat(result.timeline())
        .containsExactly(
            new PhaseResult.Second(1, 0),
            new PhaseResult.Second(0, 0),
            new PhaseResult.Second(1, 0));
  }

  @Test
  void aHoldLastsAsLongAsItHolds() {
    PhaseMeter hold = new PhaseMeter(new Phase.Hold("h", false, Duration.ofSeconds(3)), BEGAN, 0);

    PhaseResult result = hold.result(at(3_000)).withCpuMillis(45);

    assertThat(result.seconds()).isEqualTo(3);
    assertThat(result.cpuPercent()).isEqualTo(1.5);
    assertThat(result.cpuMillisPerPod()).isNaN();
  }

  @Test
  void updatesAreWork() {
    meter.updated(at(0), at(10));
    meter.updated(at(10), at(500));

    PhaseResult result = meter.result(at(600)).withCpuMillis(3);

    assertThat(result.updates()).isEqualTo(2);
    assertThat(result.perSecond()).isEqualTo(4);
    assertThat(result.cpuMillisPerPod()).isEqualTo(1.5);
  }

  @Test
  void nothingMeasuredIsZero() {
    PhaseResult result = meter.result(at(50));

    assertThat(result.seconds()).isZero();
    assertThat(result.perSecond()).isZero();
    assertThat(result.cpuPercent()).isNaN();
    assertThat(result.create()).isEqualTo(Latencies.NONE);
    assertThat(meter.percentile(99)).isZero();
  }

  @Test
  void thePercentilesOfAPhaseThatOnlyDeletesAreOfDeletes() {
    meter.delete(at(0));
    meter.gone(at(0), at(40));

    assertThat(meter.percentile(50)).isCloseTo(40, within(0.1));
  }

  @Test
  void anHourHasATimelineOfItsLength() {
    meter.create(1, at(0));
    meter.ready(at(0), at(3_599_500));

    assertThat(meter.result(0).timeline()).hasSize(3_600);
  }
}
