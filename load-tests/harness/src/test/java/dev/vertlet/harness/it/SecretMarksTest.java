package dev.vertlet.harness.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretMarksTest {
  private final SecretMarks marks = new SecretMarks();

  @Test
  void plainText() {
    String value = marks.create("password");

    assertThat(marks.found(Map.of("log", "x=" + value + "\n", "page", "x=\n")))
        .containsExactly("log shows password");
  }

  /** A value within something that was encoded as a whole begins at any of three places. */
  @ParameterizedTest
  @ValueSource(strings = {"", "a", "ab", "abc", "{\"auth\":\""})
  void base64(String before) {
    String value = marks.create("password");
    byte[] whole = (before + value + "\"}").getBytes(UTF_8);

    assertThat(marks.found(Map.of("log", Base64.getEncoder().encodeToString(whole))))
        .containsExactly("log shows password");
  }

  @Test
  void anotherValueIsNone() {
    marks.create("password");

    assertThat(marks.found(Map.of("log", new SecretMarks().create("password")))).isEmpty();
  }

  @Test
  void whatMayStandAnywhereIsRefused() {
    assertThatThrownBy(() -> marks.add("password", "hush"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("password: must have at least 20 characters");
  }
}
