package dev.vertlet.harness.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ArrivalsTest {
  private static final long MILLI = 1_000_000;
  private static final Arrival STEPS =
      new Arrival.Steps(
          List.of(
              new Arrival.Step(2, Duration.ofSeconds(1)),
              new Arrival.Step(4, Duration.ofMillis(600)),
              new Arrival.Step(10, Duration.ZERO)));

  private static List<Long> first(int count, Arrival arrival) {
    PrimitiveIterator.OfLong due = Arrivals.due(arrival, new SplittableRandom(42));
    List<Long> times = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      times.add(due.nextLong());
    }
    return times;
  }

  private static List<Long> millis(long... millis) {
    return java.util.Arrays.stream(millis).map(ms -> ms * MILLI).boxed().toList();
  }

  @Test
  void aConstantRateIsDueAtEqualDistances() {
    assertThat(first(4, new Arrival.Constant(50))).isEqualTo(millis(0, 20, 40, 60));
  }

  @Test
  void aConstantRateDoesNotDrift() {
    List<Long> times = first(3_001, new Arrival.Constant(3));

    assertThat(times.get(3_000)).isEqualTo(1_000_000 * MILLI);
  }

  @Test
  void stepsFollowOneAnotherAndTheLastGoesOn() {
    assertThat(first(8, STEPS)).isEqualTo(millis(0, 500, 1000, 1250, 1500, 1600, 1700, 1800));
  }

  @Test
  void aStepShorterThanItsDistanceStillHasItsFirst() {
    Arrival arrival =
        new Arrival.Steps(
            List.of(
                new Arrival.Step(1, Duration.ofMillis(100)),
                new Arrival.Step(1, Duration.ofMillis(100)),
                new Arrival.Step(1, Duration.ZERO)));

    assertThat(first(4, arrival)).isEqualTo(millis(0, 100, 200, 1200));
  }

  @Test
  void aPoissonProcessHasExponentialDistances() {
    int count = 100_000;
    List<Long> times = first(count, new Arrival.Poisson(50));

    assertThat(times).isSorted();
    assertThat(times.get(count - 1) / 1e9).isCloseTo(count / 50.0, within(20.0));
    double mean = 1e9 / 50;
    long below = 0;
    double squares = 0;
    for (int i = 1; i < count; i++) {
      long gap = times.get(i) - times.get(i - 1);
      below += gap < mean ? 1 : 0;
      squares += (gap - mean) * (gap - mean);
    }
    // 1 - 1/e of all gaps are below the mean, and their deviation is the mean
    assertThat(below / (double) count).isCloseTo(0.632, within(0.01));
    assertThat(Math.sqrt(squares / count)).isCloseTo(mean, within(mean * 0.02));
  }

  @Test
  void oneSeedDrawsOneSeries() {
    Arrival arrival = new Arrival.Poisson(5);

    assertThat(first(50, arrival)).isEqualTo(first(50, arrival));
    assertThat(Arrivals.due(arrival, new SplittableRandom(43)).nextLong())
        .isNotEqualTo(first(1, arrival).get(0));
  }

  @Test
  void aTraceEnds() {
    PrimitiveIterator.OfLong due =
        Arrivals.due(
            new Arrival.Trace(List.of(Duration.ofMillis(5), Duration.ofSeconds(2))),
            new SplittableRandom(1));

    assertThat(due.nextLong()).isEqualTo(5 * MILLI);
    assertThat(due.nextLong()).isEqualTo(2_000 * MILLI);
    assertThat(due.hasNext()).isFalse();
  }

  @Test
  void aBurstIsDueAtOnce() {
    assertThat(first(3, new Arrival.Burst(8))).isEqualTo(millis(0, 0, 0));
  }

  @Test
  void countsWhatIsDueBeforeATime() {
    assertThat(Arrivals.before(Duration.ofSeconds(60), new Arrival.Constant(50))).isEqualTo(3_000);
    assertThat(Arrivals.before(Duration.ofMillis(1_001), new Arrival.Constant(1))).isEqualTo(2);
    assertThat(Arrivals.before(Duration.ofSeconds(60), new Arrival.Poisson(0.5))).isEqualTo(30);
    assertThat(Arrivals.before(Duration.ofMillis(1_600), STEPS)).isEqualTo(5);
    assertThat(Arrivals.before(Duration.ofMillis(1_801), STEPS)).isEqualTo(8);
    assertThat(Arrivals.before(Duration.ofMillis(300), STEPS)).isEqualTo(1);
    Arrival trace = new Arrival.Trace(List.of(Duration.ZERO, Duration.ofSeconds(2)));
    assertThat(Arrivals.before(Duration.ofSeconds(2), trace)).isEqualTo(1);
  }

  @Test
  void aBurstLastsNoTime() {
    assertThatThrownBy(() -> Arrivals.before(Duration.ofSeconds(1), new Arrival.Burst(1)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
