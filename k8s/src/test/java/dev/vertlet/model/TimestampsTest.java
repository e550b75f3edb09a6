package dev.vertlet.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimestampsTest {
  @ParameterizedTest
  @CsvSource({
    "2006-01-02T15:04:05Z,2006-01-02T15:04:05Z",
    "2006-01-02T15:04:05.1Z,2006-01-02T15:04:05.1Z",
    "2006-01-02T15:04:05.000001Z,2006-01-02T15:04:05.000001Z",
    "2006-01-02T15:04:05.1234567899999Z,2006-01-02T15:04:05.123456789Z",
    "2006-01-02T15:04:05+01:30,2006-01-02T13:34:05Z",
    "2006-01-02T15:04:05.5-08:00,2006-01-02T23:04:05.5Z",
    "2024-02-29T00:00:00Z,2024-02-29T00:00:00Z",
    "0001-01-01T00:00:00Z,0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z,9999-12-31T23:59:59Z"
  })
  void parsesWhatServersWrite(String text, Instant expected) {
    assertThat(Timestamps.parse(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "now",
        "2006-01-02",
        "2006-01-02T15:04:05",
        "2006-01-02 15:04:05Z",
        "2006/01-02T15:04:05Z",
        "2006-01/02T15:04:05Z",
        "2006-01-02T15.04:05Z",
        "2006-01-02T15:04.05Z",
        "2006-01-02T15:04:05.Z",
        "2006-01-02T15:04:05.123",
        "2006-01-02T15:04:05Zx",
        "2006-01-02T15:04:05+0100",
        "2006-01-02T15:04:05+01x00",
        "2006-01-02T15:04:05*01:00",
        "2006-01-02T15:04:05+24:00",
        "2006-13-02T15:04:05Z",
        "2006-00-02T15:04:05Z",
        "2006-01-00T15:04:05Z",
        "2006-01-32T15:04:05Z",
        "2006-02-29T15:04:05Z",
        "2006-01-02T24:04:05Z",
        "2006-01-02T15:60:05Z",
        "2006-01-02T15:04:60Z",
        "200x-01-02T15:04:05Z",
        "200/-01-02T15:04:05Z",
        "0000-01-01T00:00:00+01:00"
      })
  void refusesAllElseWithTextAndForm(String text) {
    assertThatThrownBy(() -> Timestamps.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "\""
                + text
                + "\" is not a time: want RFC 3339, for example \"2006-01-02T15:04:05Z\" or"
                + " \"2006-01-02T15:04:05.000000Z\"");
  }

  @Test
  void formatsWholeSecondsAndMicroseconds() {
    Instant time = Instant.parse("2006-01-02T15:04:05.000123999Z");
    assertThat(Timestamps.format(time)).isEqualTo("2006-01-02T15:04:05Z");
    assertThat(Timestamps.formatMicro(time)).isEqualTo("2006-01-02T15:04:05.000123Z");
    assertThat(Timestamps.format(Instant.parse("1969-12-31T23:59:59Z")))
        .isEqualTo("1969-12-31T23:59:59Z");
  }

  @Test
  void agreesWithTheJdkOnRandomTimes() {
    Random random = new Random(7);
    for (int i = 0; i < 10_000; i++) {
      long second = random.nextLong(-62_167_219_200L, 253_402_300_800L);
      Instant time = Instant.ofEpochSecond(second);
      assertThat(Timestamps.format(time)).isEqualTo(time.toString());
      assertThat(Timestamps.parse(time.toString())).isEqualTo(time);
    }
  }

  @Test
  void refusesToFormatAYearOfFiveDigits() {
    assertThatThrownBy(() -> Timestamps.format(Instant.ofEpochSecond(253_402_300_800L)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("years 0000 to 9999");
    assertThatThrownBy(() -> Timestamps.formatMicro(Instant.MIN))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
