package dev.vertlet.manifest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.testsupport.Waits;
import dev.vertlet.testsupport.fuzz.YamlBombs;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class ManifestTextTest {
  @Test
  void whatIsNestedDeeperThanItCanBeWrittenIsRefused() throws ManifestException {
    String deep = "{\"a\": " + "[".repeat(300) + "]".repeat(300) + "}";
    String deepest = "{\"a\": " + "[".repeat(100_000) + "]".repeat(100_000) + "}";

    for (String text : new String[] {deep, deepest}) {
      assertThatThrownBy(() -> ManifestText.object(text.getBytes(UTF_8)))
          .isInstanceOf(ManifestException.class)
          .hasMessage("has more than 200 levels");
    }
    String allowed = "{\"a\": " + "[".repeat(100) + "]".repeat(100) + "}";
    assertThat(ManifestText.object(allowed.getBytes(UTF_8)).toString()).hasSizeGreaterThan(200);
  }

  @Test
  void whatGrowsIsRefused() {
    YamlBombs.all()
        .forEach(
            (name, text) ->
                assertThatThrownBy(() -> ManifestText.object(text.getBytes(UTF_8)))
                    .as(name)
                    .isInstanceOf(ManifestException.class)
                    .hasMessageMatching(
                        "(has (more than|an alias that) |is neither YAML nor JSON).*"));
  }

  @Test
  void aNumberOfAMillionDigitsIsNotWorkedOut() {
    for (String number : new String[] {"9".repeat(1_000_000), "1." + "3".repeat(1_000_000)}) {
      Assertions.assertTimeoutPreemptively(
          Waits.LONG,
          () ->
              assertThatThrownBy(() -> ManifestText.object(("a: " + number).getBytes(UTF_8)))
                  .isInstanceOf(ManifestException.class)
                  .hasMessage("is neither YAML nor JSON: a number has more than 1000 digits"));
    }
  }

  @Test
  void aTextMayHaveAsManyDigitsAsItLikes() throws ManifestException {
    String text = "a: \"" + "9".repeat(5_000) + "\"";

    assertThat(ManifestText.object(text.getBytes(UTF_8)).path("a").asText()).hasSize(5_000);
  }
}
