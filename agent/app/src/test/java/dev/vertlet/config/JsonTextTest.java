package dev.vertlet.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonTextTest {
  @Test
  void aSyntaxErrorHasLineAndColumn() {
    assertThat(TestConfig.mistakes("{\n  \"lease\": {\n    \"duration\": 40s\n  }\n}"))
        .singleElement()
        .asString()
        .isEqualTo(
            "f.json, line 3, column 19: not JSON: \"s\" stands where a comma or } was expected");
  }

  @Test
  void aTextThatEndsEarlyIsASyntaxError() {
    assertThat(TestConfig.mistakes("{\"a\": 1"))
        .singleElement()
        .asString()
        .isEqualTo(
            "f.json, line 1, column 8: not JSON: it ends too early; expected } for the { of line 1,"
                + " column 1");
    assertThat(TestConfig.mistakes(" "))
        .containsExactly("f.json, line 1, column 2: not JSON: the text is empty");
  }

  /** Of each: the text, with ~ for a line's end, and what is said behind {@code not JSON: }. */
  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      ignoreLeadingAndTrailingWhitespace = true,
      quoteCharacter = '%',
      value = {
        "{~ \"a\": [1, => it ends too early; expected ] for the [ of line 2, column 7",
        "{\"a\": \"x => it ends too early; expected the \" that closes a text",
        "{\"a => it ends too early; expected the \" that closes a text",
        "- => it ends too early; expected a digit",
        "{\"a\": [1} => \"}\" stands where ] was expected for the [ of line 1, column 7",
        "{} } => \"}\" stands where nothing more was expected",
        "{\"a\" 1} => \"1\" stands where a colon was expected",
        "{\"a\": [1 2]} => \"2\" stands where a comma or ] was expected",
        "{a: 1} => \"a\" stands where a key in double quotes or } was expected",
        "{\"a\": 1,} => \"}\" stands where a key in double quotes was expected; take out the"
            + " comma before it",
        "{\"a\": [1,]} => \"]\" stands where a value was expected; take out the comma before it",
        "{\"a\": } => \"}\" stands where a value was expected: a text in double quotes, a number,"
            + " true, false, null, an object or a list",
        "{\"a\": True} => \"True\" stands where a value was expected: a text in double quotes, a"
            + " number, true, false, null, an object or a list",
        "{\"a\": 01} => no number of JSON; expected one such as 12, -0.5 or 1e3",
        "{\"a\": +5} => no number of JSON; expected one such as 12, -0.5 or 1e3",
        "{\"a\": 1.x} => no number of JSON; expected one such as 12, -0.5 or 1e3",
        "{\"a\": NaN} => no number of JSON; expected one such as 12, -0.5 or 1e3",
        "{\"a\": \"x~\"} => a line ends within a text; expected the \" that closes it, or \\n",
        "{\"a\": \"\t\"} => a text holds the character U+0009, which must be written as"
            + " \\u0009",
        "{\"a\": \"\\q\"} => a \\ in a text must stand before one of \" \\ / b f n r t, or before u"
            + " and four hex digits",
        "{\"a\": \u201cx\u201d} => \"\u201c\" stands where a value was expected: a text in double"
            + " quotes, a number, true, false, null, an object or a list",
        "{\"a\": \u0001} => a control character stands before this place; take it out",
        "\ufeff{} => U+FEFF stands where a value was expected: a text in double quotes, a number,"
            + " true, false, null, an object or a list",
      })
  void whatWasExpectedIsSaidInPlainWords(String text, String wanted) {
    assertThat(TestConfig.mistakes(text.replace('~', '\n')))
        .singleElement()
        .asString()
        .matches("f\\.json, line \\d, column \\d+: not JSON: .*")
        .endsWith(": not JSON: " + wanted);
  }

  @Test
  void whatGoesBeyondEveryMeasureIsTold() {
    for (String text :
        List.of("[".repeat(2000), "1".repeat(2000), "{\"" + "k".repeat(60_000) + "\": 1}")) {
      assertThat(TestConfig.mistakes(text))
          .containsExactly(
              "f.json: not JSON: a key, a text or a number in it is too long, or too many lists and"
                  + " objects stand in one another");
    }
  }

  /** Whatever is wrong with it: nobody who writes a file knows the library that reads it. */
  @Test
  void noMistakeQuotesTheLibrary() {
    String good = "{\"a\": [1.5, \"x\\n\\u00e4\", true, null], \"b\": {\"c\": -1e3}}";
    for (int i = 0; i <= good.length(); i++) {
      List<String> texts = new ArrayList<>();
      texts.add(good.substring(0, i));
      for (String other : "{ } [ ] , : \" \\ ' 0 . - + e x N / # \0 \n".split(" ")) {
        texts.add(good.substring(0, i) + other + good.substring(i));
        texts.add(good.substring(0, i) + other + good.substring(Math.min(i + 1, good.length())));
      }
      for (String text : texts) {
        assertThat(TestConfig.mistakes(text))
            .allSatisfy(
                mistake ->
                    assertThat(mistake)
                        .as(text)
                        .doesNotContain("Source", "Feature", "code ", "marker", "end-of-input")
                        .doesNotContain("token", "CTRL-CHAR", "numeric value", "JsonText"));
      }
    }
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
