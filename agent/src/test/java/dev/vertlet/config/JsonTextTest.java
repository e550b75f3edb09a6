package dev.vertlet.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JsonTextTest {
  @Test
  void aSyntaxErrorHasLineAndColumn() {
    assertThat(TestConfig.mistakes("{\n  \"lease\": {\n    \"duration\": 40s\n  }\n}"))
        .singleElement()
        .asString()
        .startsWith("f.json, line 3, column 19: not JSON: ");
  }

  @Test
  void aTextThatEndsEarlyIsASyntaxError() {
    assertThat(TestConfig.mistakes("{\"a\": 1"))
        .singleElement()
        .asString()
        .startsWith("f.json, line 1, column 8: not JSON: unexpected end-of-input");
    assertThat(TestConfig.mistakes(" "))
        .containsExactly("f.json, line 1, column 2: not JSON: the text is empty");
  }

  @Test
  void aKeyTwiceInOneObjectIsAnError() {
    assertThat(TestConfig.mistakes("{\"log\": {\"level\": \"info\", \"level\": \"warn\"}}"))
        .singleElement()
        .asString()
        .matches("f.json, line 1, column \\d+: the key \"level\" stands twice in one object");
  }

  @Test
  void commentsAreRefusedByName() {
    for (String comment : new String[] {"// x\n", "/* x */", "# x\n"}) {
      assertThat(TestConfig.mistakes("{\n  " + comment + "\"log\": {}\n}"))
          .singleElement()
          .asString()
          .matches("f.json, line 2, column \\d: comments are not supported in JSON; take it out");
    }
  }

  @Test
  void textAfterTheObjectIsAnError() {
    assertThat(TestConfig.mistakes("{} {}"))
        .containsExactly("f.json, line 1, column 5: not JSON: there is more text after the value");
  }

  @Test
  void aFileOfAnotherKindIsRefused() {
    assertThat(TestConfig.mistakes("[]"))
        .containsExactly("f.json: must hold one JSON object, { … }, and nothing else");
  }
}
