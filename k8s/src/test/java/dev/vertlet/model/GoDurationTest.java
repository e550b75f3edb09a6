package dev.vertlet.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GoDurationTest {
  @ParameterizedTest
  @CsvSource({
    "0,PT0S",
    "+0,PT0S",
    "0s,PT0S",
    "10s,PT10S",
    "1m30s,PT1M30S",
    "150ms,PT0.15S",
    "1.5h,PT1H30M",
    "1h0m0s,PT1H",
    ".5s,PT0.5S",
    "1.s,PT1S",
    "-2m,PT-2M",
    "+3s,PT3S",
    "7us,PT0.000007S",
    "7\u00b5s,PT0.000007S",
    "7\u03bcs,PT0.000007S",
    "1.9ns,PT0.000000001S",
    "1s1s,PT2S",
    "2562047h47m16.854775807s,PT2562047H47M16.854775807S"
  })
  void parsesWhatGoParses(String text, Duration expected) {
    assertThat(GoDuration.parse(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "-", "10", "s", ".s", "1d", "1 s", " 1s", "1s ", "1e3s", "--1s", "1s-1s", "1S"
      })
  void refusesAllElseWithTextAndForm(String text) {
    assertThatThrownBy(() -> GoDuration.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "\""
                + text
                + "\" is not a duration: want numbers with units ns, us, ms, s, m or h, for"
                + " example \"10s\", \"1m30s\", \"150ms\" or \"1.5h\"");
  }

  @Test
  void refusesWhatIsTooLong() {
    assertThatThrownBy(() -> GoDuration.parse("2562047h47m16.854775808s"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is more than 2562047h47m16.854775807s");
    assertThatThrownBy(() -> GoDuration.parse("1s".repeat(1000)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not a duration");
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S,0s",
    "PT10S,10s",
    "PT1M30S,1m30s",
    "PT1H,1h0m0s",
    "PT1.5S,1.5s",
    "PT0.15S,150ms",
    "PT0.0015S,1.5ms",
    "PT0.0000015S,1.5\u00b5s",
    "PT0.000000007S,7ns",
    "PT-1M,-1m0s",
    "PT-0.5S,-500ms",
    "PT100H,100h0m0s"
  })
  void formatsAsGoDoes(Duration duration, String expected) {
    assertThat(GoDuration.format(duration)).isEqualTo(expected);
    assertThat(GoDuration.parse(expected)).isEqualTo(duration);
  }
}
