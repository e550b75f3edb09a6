package dev.vertlet.apiserver.schema;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.vertlet.apiserver.schema.GoBase64.CorruptException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoBase64Test {
  @Test
  void readsWhatIsPaddedAndLineEnds() throws CorruptException {
    for (String text : new String[] {"", "YQ==", "YWI=", "YWJj", "YW\nJj\r\n", "YQ=\n=\n"}) {
      assertThat(new String(GoBase64.decode(text), UTF_8)).isIn("", "a", "ab", "abc");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "YQ, 0",
    "YWI, 0",
    "YWJjZA, 4",
    "YQ=, 3",
    "YQ=x, 2",
    "YQ==YQ==, 4",
    "=, 0",
    "Y===, 1",
    "YW-j, 2",
    "YWJj ZA==, 4"
  })
  void saysWhereAMistakeIs(String text, int at) {
    assertThatExceptionOfType(CorruptException.class)
        .isThrownBy(() -> GoBase64.decode(text))
        .withMessage("illegal base64 data at input byte " + at);
  }
}
