package dev.vertlet.simulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationRuleTest {
  private static final int DRAWS = 20_000;

  @ParameterizedTest
  @CsvSource({
    "0,0",
    "10s,10000",
    "1m30s,90000",
    "1.5h,5400000",
    "250ms,250",
    "876000h,3153600000000"
  })
  void readsConstants(String text, long millis) {
    assertThat(DurationRule.parse(text).draw(7)).isEqualTo(millis);
  }

  @Test
  void readsEveryForm() {
    assertThat(DurationRule.parse("never")).isEqualTo(DurationRule.NEVER);
    assertThat(DurationRule.parse("1s..3s"))
        .isEqualTo(new DurationRule.Uniform(Duration.ofSeconds(1), Duration.ofSeconds(3)));
    assertThat(DurationRule.parse("normal(10s, 2s)"))
        .isEqualTo(new DurationRule.Normal(Duration.ofSeconds(10), Duration.ofSeconds(2)));
    assertThat(DurationRule.parse("exponential(10s)"))
        .isEqualTo(new DurationRule.Exponential(Duration.ofSeconds(10)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "10",
        "-1s",
        "s",
        "1 s",
        "1s..",
        "3s..1s",
        "normal(1s)",
        "exponential(1s,2s)",
        "gamma(1s)",
        "normal(1s,2s",
        "Never",
        "876001h",
        "9999999999999h"
      })
  void refusesEverythingElseByName(String text) {
    assertThatThrownBy(() -> DurationRule.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("(?s).*(not a duration|no distribution|more than|must).*");
  }

  @Test
  void refusesNegativeTimes() {
    assertThatThrownBy(() -> new DurationRule.Constant(Duration.ofSeconds(-1)))
        .hasMessage("duration must be from 0 to 876000h, got PT-1S");
  }

  @Test
  void drawsTheSameForTheSameBits() {
    DurationRule rule = DurationRule.parse("normal(10s,5s)");

    assertThat(rule.draw(12345)).isEqualTo(rule.draw(12345));
  }

  @Test
  void drawsUniformlyBetweenItsEnds() {
    DurationRule rule = DurationRule.parse("1s..3s");

    assertThat(draws(rule).min().orElseThrow()).isBetween(1000L, 1010L);
    assertThat(draws(rule).max().orElseThrow()).isBetween(2990L, 3000L);
    assertThat(mean(rule)).isBetween(1950.0, 2050.0);
  }

  @Test
  void drawsAroundTheMeanAndNeverBelowZero() {
    assertThat(mean(DurationRule.parse("normal(10s,2s)"))).isBetween(9_900.0, 10_100.0);
    assertThat(draws(DurationRule.parse("normal(1s,10s)")).min()).hasValue(0);
    assertThat(mean(DurationRule.parse("exponential(10s)"))).isBetween(9_700.0, 10_300.0);
    assertThat(draws(DurationRule.parse("exponential(10s)")).min().orElseThrow()).isNotNegative();
  }

  private static LongStream draws(DurationRule rule) {
    return LongStream.range(0, DRAWS).map(i -> rule.draw(Hash64.of(99, i)));
  }

  private static double mean(DurationRule rule) {
    return draws(rule).average().orElseThrow();
  }
}
