package dev.vertlet.simulated.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/** What containers take as time goes by. */
class UsageRuleTest {
  private static final long MILLI = 1_000_000;
  private static final long MI = 1 << 20;
  private static final long HOUR = 3_600_000;

  /** A whole number of days after the epoch. */
  private static final long MIDNIGHT = 20_000 * 24 * HOUR;

  private static final String[] RULES = {
    "250m",
    "60%",
    "100m..300m",
    "sine(0,900m,24h)",
    "sine(100m,64,1h)",
    "sine(10%,250%,7s)",
    "ramp(0,1,10m)",
    "ramp(2,50m,90s)",
    "ramp(1,1,1s)"
  };

  private static UsageRule cpu(String text) {
    return UsageRule.parse(text, true).resolve(500 * MILLI, 42);
  }

  @Test
  void aConstantIsTakenAllTheTime() {
    UsageRule rule = cpu("250m");
    assertThat(rule.at(0, HOUR)).isEqualTo(250 * MILLI);
    assertThat(rule.total(1000, 5500)).isEqualTo(1125 * MILLI);
    assertThat(rule.total(5000, 4000)).isZero();
    assertThat(UsageRule.parse("200Mi", false).at(0, 1)).isEqualTo(200 * MI);
  }

  @Test
  void aShareIsOfTheRequestAndNothingWithoutOne() {
    assertThat(cpu("60%").at(0, 1)).isEqualTo(300 * MILLI);
    assertThat(cpu("12.5%").at(0, 1)).isEqualTo(62_500_000);
    assertThat(UsageRule.parse("60%", true).resolve(0, 42).at(0, 1)).isZero();
  }

  @Test
  void whatIsNeitherAShareNorDrawnIsSharedAsItIs() {
    for (String text : new String[] {"250m", "sine(0,1,1h)", "ramp(0,1,1h)"}) {
      UsageRule rule = UsageRule.parse(text, true);
      assertThat(rule.resolve(1, 2)).isSameAs(rule);
    }
  }

  @Test
  void aRangeIsDrawnOnceForAnInstance() {
    UsageRule range = UsageRule.parse("100m..300m", true);
    SplittableRandom random = new SplittableRandom(1);
    long least = Long.MAX_VALUE;
    long most = 0;
    for (int i = 0; i < 1000; i++) {
      long bits = random.nextLong();
      long drawn = range.resolve(0, bits).at(0, 0);
      assertThat(range.resolve(0, bits).at(0, HOUR)).isEqualTo(drawn);
      least = Math.min(least, drawn);
      most = Math.max(most, drawn);
    }
    assertThat(least).isBetween(100 * MILLI, 105 * MILLI);
    assertThat(most).isBetween(295 * MILLI, 300 * MILLI);
    assertThatThrownBy(() -> range.at(0, 0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> range.total(0, 0)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aSineIsLowestAtMidnightAndHighestAtNoon() {
    UsageRule day = cpu("sine(100m,900m,24h)");
    assertThat(day.at(0, MIDNIGHT)).isEqualTo(100 * MILLI);
    assertThat(day.at(0, MIDNIGHT + 6 * HOUR)).isEqualTo(500 * MILLI);
    assertThat(day.at(0, MIDNIGHT + 12 * HOUR)).isEqualTo(900 * MILLI);
    // the mean over whole periods, wherever they begin
    for (int hour = 0; hour < 24; hour++) {
      long start = MIDNIGHT + hour * HOUR;
      assertThat(day.total(start, start + 10 * 24 * HOUR)).isEqualTo(10 * 24 * 3600 * 500 * MILLI);
    }
    assertThat(day.total(MIDNIGHT, MIDNIGHT - 1)).isZero();
  }

  @Test
  void ofAShareAndAnAmountTheLowestIsNotAboveTheHighest() {
    assertThat(cpu("sine(400m,10%,24h)").at(0, MIDNIGHT + 12 * HOUR)).isEqualTo(400 * MILLI);
  }

  @Test
  void aRampGoesFromTheStartOnAndStaysWhereItEnds() {
    UsageRule up = cpu("ramp(100m,900m,10s)");
    assertThat(up.at(5000, 5000)).isEqualTo(100 * MILLI);
    assertThat(up.at(5000, 10_000)).isEqualTo(500 * MILLI);
    assertThat(up.at(5000, 99_000)).isEqualTo(900 * MILLI);
    assertThat(up.total(5000, 15_000)).isEqualTo(5000 * MILLI);
    assertThat(up.total(5000, 25_000)).isEqualTo(14_000 * MILLI);
    UsageRule down = cpu("ramp(900m,100m,10s)");
    assertThat(down.at(5000, 10_000)).isEqualTo(500 * MILLI);
    assertThat(down.total(5000, 15_000)).isEqualTo(5000 * MILLI);
    assertThat(down.total(5000, 25_000)).isEqualTo(6000 * MILLI);
  }

  @ParameterizedTest
  @FieldSource("RULES")
  void whatWasTakenIsTheSumOfWhatIsTaken(String text) {
    UsageRule rule = cpu(text);
    long start = MIDNIGHT + 12_345_000;
    double sum = 0;
    int step = 10;
    for (long time = start; time < start + 2 * HOUR; time += step) {
      sum += (rule.at(start, time) + rule.at(start, time + step)) / 2.0 * step / 1000;
    }
    assertThat((double) rule.total(start, start + 2 * HOUR)).isCloseTo(sum, within(sum / 1000));
  }

  @Test
  void whatWasTakenNeverFallsWhenItIsReadAtAnyMillisecond() {
    SplittableRandom random = new SplittableRandom(7);
    for (String text : RULES) {
      UsageRule rule = cpu(text);
      for (int run = 0; run < 300; run++) {
        long start = MIDNIGHT + random.nextLong(48 * HOUR);
        long time = start + random.nextLong(72 * HOUR);
        long before = rule.total(start, time);
        for (int i = 0; i < 200; i++) {
          time += 1 + random.nextLong(run % 3 == 0 ? 2 : 500);
          long now = rule.total(start, time);
          assertThat(now).as("%s from %d to %d", text, start, time).isGreaterThanOrEqualTo(before);
          before = now;
        }
      }
    }
  }

  @Test
  void aHugeSumStopsAtTheLargestNumber() {
    UsageRule rule = cpu("1000000");
    assertThat(rule.total(0, DurationRule.LONGEST.toMillis())).isEqualTo(Long.MAX_VALUE);
    assertThat(rule.total(0, 9_223_372_036L)).isEqualTo(Long.MAX_VALUE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "-1; \"-1\" is not an amount: must be a quantity from 0 up, such as 200m, or a share of the"
            + " request, such as 50%",
        "-5%; \"-5%\" is not an amount: must be a quantity from 0 up, such as 200m, or a share of"
            + " the request, such as 50%",
        "much; \"much\" is not an amount: must be a quantity from 0 up, such as 200m, or a share of"
            + " the request, such as 50%",
        "2..1; \"2..1\" is refused: the first amount must not be above the second",
        "50%..20%; \"50%..20%\" is refused: the first amount must not be above the second",
        "sine(2,1,1h); \"sine(2,1,1h)\" is refused: the first amount must not be above the second",
        "sine(1,2); \"sine(1,2)\" is no curve: want sine(lowest,highest,period) or"
            + " ramp(first,last,time)",
        "saw(1,2,1h); \"saw(1,2,1h)\" is no curve: want sine(lowest,highest,period) or"
            + " ramp(first,last,time)",
        "ramp(1,2,999ms); \"999ms\" is refused: a period or time must be from 1s to 876000h",
        "sine(1,2,876001h); \"876001h\" is refused: a period or time must be from 1s to 876000h"
      })
  void whatCannotBeReadIsRefused(String text, String message) {
    assertThatThrownBy(() -> UsageRule.parse(text, true)).hasMessage(message);
  }

  @Test
  void anAmountOfBytesIsNamedAsOne() {
    assertThatThrownBy(() -> LifeCycle.UNSET.with(RuleKey.MEMORY_USAGE, "-1Gi"))
        .hasMessage(
            "\"-1Gi\" is not an amount: must be a quantity from 0 up, such as 200Mi, or a share of"
                + " the request, such as 50%");
  }
}
