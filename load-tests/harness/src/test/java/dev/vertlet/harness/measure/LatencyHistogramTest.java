package dev.vertlet.harness.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.vertlet.harness.result.Latencies;
import org.junit.jupiter.api.Test;

class LatencyHistogramTest {
  private final LatencyHistogram histogram = new LatencyHistogram();

  @Test
  void theCurveRisesToTheSlowest() {
    for (int millis = 1; millis <= 10_000; millis++) {
      histogram.record(millis * 1_000_000L);
    }

    Latencies latencies = histogram.latencies();

    assertThat(latencies.p50()).isCloseTo(5_000, within(5.0));
    assertThat(latencies.p99()).isCloseTo(9_900, within(10.0));
    assertThat(latencies.max()).isCloseTo(10_000, within(10.0));
    assertThat(latencies.curve()).hasSizeBetween(40, 100);
    assertThat(latencies.curve()).extracting(Latencies.Point::percentile).isSorted();
    assertThat(latencies.curve()).extracting(Latencies.Point::millis).isSorted();
    assertThat(latencies.curve().get(latencies.curve().size() - 1))
        .isEqualTo(new Latencies.Point(100, latencies.max()));
  }

  @Test
  void clocksThatDisagreeMakeNoNegativeLatency() {
    histogram.record(-5);

    assertThat(histogram.latencies().max()).isZero();
    assertThat(histogram.count()).isEqualTo(1);
  }
}
