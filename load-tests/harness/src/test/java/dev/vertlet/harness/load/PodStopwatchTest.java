package dev.vertlet.harness.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PodStopwatchTest {
  private static final long MILLI = 1_000_000;

  @Test
  void latenciesAreFromRequestToArrival() {
    PodStopwatch watch = new PodStopwatch(2);
    watch.start(0, 100 * MILLI);
    watch.start(1, 200 * MILLI);
    watch.arrive(1, 210 * MILLI);
    watch.arrive(0, 600 * MILLI);

    PhaseResult result = watch.result();

    assertThat(watch.complete()).isTrue();
    assertThat(result.done()).isEqualTo(2);
    assertThat(result.seconds()).isEqualTo(0.5);
    assertThat(result.perSecond()).isEqualTo(4);
    assertThat(result.latencies().p50()).isCloseTo(10, within(0.1));
    assertThat(result.latencies().max()).isCloseTo(500, within(1.0));
  }

  @Test
  void onlyTheFirstStartAndTheFirstArrivalCount() {
    PodStopwatch watch = new PodStopwatch(1);
    watch.start(0, 0);
    watch.start(0, 90 * MILLI);

    assertThat(watch.arrive(0, 100 * MILLI)).isTrue();
    assertThat(watch.arrive(0, 900 * MILLI)).isFalse();

    assertThat(watch.arrivals()).isEqualTo(1);
    assertThat(watch.result().latencies().max()).isCloseTo(100, within(0.1));
  }

  @Test
  void whatNobodyStartedDoesNotArrive() {
    PodStopwatch watch = new PodStopwatch(1);

    assertThat(watch.arrive(0, 1)).isFalse();
    assertThat(watch.complete()).isFalse();
  }

  @Test
  void negativeClocksAreClocks() {
    PodStopwatch watch = new PodStopwatch(1);
    watch.start(0, -500 * MILLI);
    watch.arrive(0, -400 * MILLI);

    assertThat(watch.result().latencies().max()).isCloseTo(100, within(0.1));
  }

  @Test
  void nothingMeasuredIsZero() {
    PhaseResult result = new PodStopwatch(3).result();

    assertThat(result.done()).isZero();
    assertThat(result.perSecond()).isZero();
    assertThat(result.latencies()).isEqualTo(new Latencies(0, 0, 0, 0, 0));
  }

  @Test
  void noPodsAreCompleteAtOnce() {
    assertThat(new PodStopwatch(0).complete()).isTrue();
  }
}
