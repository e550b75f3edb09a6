package dev.vertlet.yaml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.vertlet.testsupport.fuzz.YamlBombs;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.schema.CoreSchema;

class BoundedYamlTest {
  static Stream<Arguments> bombs() {
    return YamlBombs.all().entrySet().stream()
        .map(bomb -> Arguments.of(bomb.getKey(), bomb.getValue()));
  }

  private static List<Object> read(String text) {
    return BoundedYaml.read(text.getBytes(UTF_8), new CoreSchema(), false);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("bombs")
  void refusesWhatGrows(String name, String text) {
    // a key that is no scalar is no key of JSON
    assertThatExceptionOfType(YamlEngineException.class).isThrownBy(() -> read(text));
    assertThatExceptionOfType(YamlLimitException.class)
        .isThrownBy(() -> BoundedYaml.check(text.getBytes(UTF_8)))
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(100).doesNotContain("\n"));
  }

  @Test
  void aliasesAndMergesOfEverydayAreRead() {
    String text =
        """
        base: &base {cpu: 1, memory: [1, 2]}
        one: {<<: *base, cpu: 2}
        two: *base
        three: [*base, *base]
        """;

    assertThat(read(text))
        .singleElement()
        .satisfies(
            document ->
                assertThat((Map<?, ?>) document)
                    .hasToString(
                        "{base={cpu=1, memory=[1, 2]}, one={cpu=2, memory=[1, 2]},"
                            + " two={cpu=1, memory=[1, 2]},"
                            + " three=[{cpu=1, memory=[1, 2]}, {cpu=1, memory=[1, 2]}]}"));
    assertThatCode(() -> BoundedYaml.check(text.getBytes(UTF_8))).doesNotThrowAnyException();
  }

  @Test
  void countsUpToTheLimits() {
    int fits = BoundedYaml.MAX_NODES - 1; // and the sequence itself
    assertThat(read("[" + "0,".repeat(fits) + "]")).hasSize(1);
    assertThatExceptionOfType(YamlLimitException.class)
        .isThrownBy(() -> read("[" + "0,".repeat(fits + 1) + "]"))
        .withMessage("has more than 100000 keys and values, with its aliases written out");
    int levels = BoundedYaml.MAX_LEVELS;
    assertThat(read("[".repeat(levels) + "]".repeat(levels))).hasSize(1);
    assertThatExceptionOfType(YamlLimitException.class)
        .isThrownBy(() -> read("[".repeat(levels + 1) + "]".repeat(levels + 1)))
        .withMessage("has more than 200 levels");
  }

  /** A short text may not stand for as much as a long one. */
  @Test
  void aliasesGrowWithTheText() {
    String list = "[" + "0,".repeat(100) + "]";
    assertThat(read("a: &a " + list + "\nb: [" + "*a,".repeat(20) + "]")).hasSize(1);
    assertThatExceptionOfType(YamlLimitException.class)
        .isThrownBy(() -> read("a: &a " + list + "\nb: [" + "*a,".repeat(30) + "]"))
        .withMessage("has more than 2304 keys and values, with its aliases written out");
    assertThatExceptionOfType(YamlLimitException.class)
        .isThrownBy(() -> read("a: &a " + "x".repeat(1_000) + "\nb: [" + "*a,".repeat(90) + "]"))
        .withMessageMatching("has more than 7\\d+ characters, with its aliases written out");
  }

  @Test
  void anchorsOfAnotherDocumentMeanNothing() {
    assertThatExceptionOfType(YamlEngineException.class).isThrownBy(() -> read("--- &a 1\n--- *a"));
  }

  @Test
  void aLaterAnchorOfANameReplacesTheFirst() {
    assertThat(read("[&a 1, *a, &a 2, *a]")).hasToString("[[1, 1, 2, 2]]");
  }
}
