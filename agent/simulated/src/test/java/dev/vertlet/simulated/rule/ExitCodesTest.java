package dev.vertlet.simulated.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.simulated.rule.ExitCodes.Choice;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExitCodesTest {
  @Test
  void readsOneCodeOrSomeWithWeights() {
    assertThat(ExitCodes.parse("3")).isEqualTo(ExitCodes.of(3));
    assertThat(ExitCodes.parse("0:9, 1 : 0.5,255"))
        .isEqualTo(
            new ExitCodes(List.of(new Choice(0, 9), new Choice(1, 0.5), new Choice(255, 1))));
  }

  @Test
  void drawsEachAsOftenAsItsWeightSays() {
    ExitCodes codes = ExitCodes.parse("0:9,1:1");

    long failures =
        LongStream.range(0, 20_000).filter(i -> codes.draw(Hash64.of(99, i)) == 1).count();

    assertThat(failures).isBetween(1_900L, 2_100L);
    assertThat(ExitCodes.parse("7").draw(12345)).isEqualTo(7);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "256     | \"256\" is no exit code: want a number from 0 to 255, or some with weights",
        "-1      | \"-1\" is no exit code",
        "0:9,    | \"0:9,\" is no exit code",
        "''      | \"\" is no exit code",
        "0:0     | a weight must be above 0 and at most 1e9, got 0.0",
        "0:many  | \"many\" is no weight: want a number above 0 and at most 1e9"
      })
  void refusesEverythingElseByName(String text, String message) {
    assertThatThrownBy(() -> ExitCodes.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }
}
