package dev.vertlet.simulated.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.simulated.rule.DurationRule.Empirical.Choice;
import java.time.Duration;
import java.util.List;
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
    assertThat(DurationRule.parse("lognormal(2s,20s)"))
        .isEqualTo(new DurationRule.LogNormal(Duration.ofSeconds(2), Duration.ofSeconds(20)));
    assertThat(DurationRule.parse("empirical(1s:80, 5s : 19.5, never)"))
        .isEqualTo(
            new DurationRule.Empirical(
                List.of(
                    new Choice(1_000, 80),
                    new Choice(5_000, 19.5),
                    new Choice(DurationRule.NEVER_MILLIS, 1))));
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
        "lognormal(1s)",
        "lognormal(0,1s)",
        "lognormal(2s,1s)",
        "empirical()",
        "empirical(1s:0)",
        "empirical(1s:-1)",
        "empirical(1s:9999999999)",
        "empirical(1s,)",
        "empirical(876001h:1)",
        "empirical(1s..2s:1)",
        "normal(1s,2s",
        "Never",
        "876001h",
        "9999999999999h"
      })
  void refusesEverythingElseByName(String text) {
    assertThatThrownBy(() -> DurationRule.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("(?s).*(not a duration|no distribution|no weight|more than|must).*");
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

  @Test
  void drawsHalfBelowTheMedianAndOneInAHundredAboveItsTail() {
    DurationRule rule = DurationRule.parse("lognormal(2s,20s)");

    assertThat(share(rule, 0, 1_999)).isBetween(0.49, 0.51);
    assertThat(share(rule, 20_000, DurationRule.LONGEST.toMillis())).isBetween(0.008, 0.012);
    assertThat(draws(rule).min().orElseThrow()).isNotNegative();
    assertThat(draws(DurationRule.parse("lognormal(3s,3s)")).distinct()).containsExactly(3_000L);
  }

  @Test
  void drawsWhatWasMeasuredAsOftenAsItWas() {
    DurationRule rule = DurationRule.parse("empirical(1s:80,5s:19,never:1)");

    assertThat(share(rule, 1_000, 1_000)).isBetween(0.79, 0.81);
    assertThat(share(rule, 5_000, 5_000)).isBetween(0.18, 0.20);
    assertThat(share(rule, DurationRule.NEVER_MILLIS, DurationRule.NEVER_MILLIS))
        .isBetween(0.008, 0.012);
  }

  private static double share(DurationRule rule, long from, long to) {
    return (double) draws(rule).filter(drawn -> drawn >= from && drawn <= to).count() / DRAWS;
  }

  private static LongStream draws(DurationRule rule) {
    return LongStream.range(0, DRAWS).map(i -> rule.draw(Hash64.of(99, i)));
  }

  private static double mean(DurationRule rule) {
    return draws(rule).average().orElseThrow();
  }
}
