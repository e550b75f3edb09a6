package dev.vertlet.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Utf8Test {
  @ParameterizedTest
  @CsvSource({
    "abc, 3, abc, abc",
    "abcd, 3, abc, bcd",
    "äöü, 6, äöü, äöü",
    "äöü, 5, äö, öü",
    "äöü, 4, äö, öü",
    "äöü, 1, '', ''",
    "x𝄞y, 4, x, y",
    "x𝄞y, 5, x𝄞, 𝄞y"
  })
  void cutsBetweenCharacters(String text, int bytes, String first, String last) {
    assertThat(Utf8.first(text, bytes)).isEqualTo(first);
    assertThat(Utf8.last(text, bytes)).isEqualTo(last);
  }
}
