package dev.vertlet.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LatencyHistogramTest {
  private final LatencyHistogram histogram = new LatencyHistogram();

  @Test
  void percentilesAreThoseOfTheValuesButForThreePercent() {
    Random random = new Random(1);
    long[] values = random.longs(10_000, 0, 10_000_000).map(v -> v % (1 + v % 977)).toArray();
    values[17] = 3_600_000_000L;
    Arrays.stream(values).forEach(histogram::record);
    Arrays.sort(values);

    for (double percent : new double[] {1, 50, 90, 99, 99.9}) {
      long exact = values[(int) Math.ceil(values.length * percent / 100) - 1];
      assertThat((double) histogram.percentile(percent))
          .as("p%s", percent)
          .isBetween((double) exact, exact * 1.035 + 1);
    }
    assertThat(histogram.max()).isEqualTo(3_600_000_000L);
    assertThat(histogram.percentile(100)).isEqualTo(3_600_000_000L);
    assertThat(histogram.count()).isEqualTo(10_000);
  }

  @Test
  void whatIsTooShortOrTooLongHasAPlaceToo() {
    histogram.record(-5);
    histogram.record(Long.MAX_VALUE);

    assertThat(histogram.percentile(50)).isZero();
    assertThat(histogram.count()).isEqualTo(2);
    histogram.clear();
    assertThat(histogram.percentile(99)).isZero();
    assertThat(histogram.max()).isZero();
  }

  @Test
  void theLastMinuteForgetsAndTheWholeDoesNot() {
    RecentLatency latency = new RecentLatency();
    latency.record(1_000, 10);
    latency.record(1_030, 20);

    assertThat(latency.minute(1_031).count()).isEqualTo(2);
    assertThat(latency.minute(1_065).max()).isCloseTo(20, within(1L));
    assertThat(latency.minute(1_065).count()).isEqualTo(1);
    assertThat(latency.minute(1_095).count()).isZero();
    assertThat(latency.ever().count()).isEqualTo(2);
  }

  @Test
  void secondsThatAreOverAreCounted() {
    PerSecond counts = new PerSecond();
    counts.add(500, 3);
    counts.add(500, 4);
    counts.add(502, 1);
    counts.add(503, 9);

    assertThat(counts.last(503, 4)).containsExactly(0, 7, 0, 1);
    assertThat(counts.last(503 + 128, 2)).containsExactly(0, 0);
  }
}
