package dev.vertlet.harness.servicelevel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistogramTest {
  private static final double INFINITY = Double.POSITIVE_INFINITY;

  private static Histogram of(double... boundsAndCounts) {
    TreeMap<Double, Double> buckets = new TreeMap<>();
    for (int i = 0; i < boundsAndCounts.length; i += 2) {
      buckets.put(boundsAndCounts[i], boundsAndCounts[i + 1]);
    }
    return new Histogram(buckets);
  }

  /** Rank 99 of 100 is the fourth of the five values between 0.4 and 0.6. */
  @Tag("L03")
  @ParameterizedTest
  @CsvSource({"0.5, 0.0454545454", "0.55, 0.05", "0.9, 0.3", "0.99, 0.56", "1, 0.6"})
  void aQuantileIsInterpolatedWithinItsBucket(double quantile, double expected) {
    Histogram histogram = of(0.05, 55, 0.1, 65, 0.2, 85, 0.4, 95, 0.6, 100, INFINITY, 100);

    assertThat(histogram.quantile(quantile)).isCloseTo(expected, within(1e-6));
  }

  @Test
  @Tag("L03")
  void beyondTheLastBoundItIsThatBound() {
    assertThat(of(0.05, 1, 60, 2, INFINITY, 100).quantile(0.99)).isEqualTo(60);
  }

  @Test
  void withoutValuesOrAnInfiniteBoundItIsUnknown() {
    assertThat(Histogram.EMPTY.quantile(0.99)).isNaN();
    assertThat(of(0.05, 0, INFINITY, 0).quantile(0.99)).isNaN();
    assertThat(of(0.05, 5, 0.1, 6).quantile(0.99)).isNaN();
    assertThat(of(INFINITY, 6).quantile(0.99)).isNaN();
  }

  @Test
  void countsThatFallByAReadingDuringAWriteDoNotMatter() {
    assertThat(of(0.1, 50, 0.2, 49, 0.4, 100, INFINITY, 100).quantile(0.5)).isEqualTo(0.1);
    assertThat(of(0.1, 50, 0.2, 49, 0.4, 100, INFINITY, 100).quantile(0.75))
        .isCloseTo(0.3, within(1e-6));
  }

  @Test
  void histogramsAddUp() {
    Histogram sum = of(0.1, 1, INFINITY, 3).plus(of(0.1, 2, INFINITY, 2));

    assertThat(sum.buckets()).isEqualTo(Map.of(0.1, 3.0, INFINITY, 5.0));
    assertThat(sum.count()).isEqualTo(5);
    assertThat(Histogram.EMPTY.plus(sum)).isEqualTo(sum);
  }
}
