package dev.vertlet.problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.model.Names;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ProblemsTest {
  private final Problems problems = new Problems("/part");

  private List<String> lines() {
    return problems.list().stream().map(Problem::toString).toList();
  }

  @Test
  void pointersBeginAtTheCollectorsPlaceAndPartsAddToTheWhole() {
    Problems item = problems.at("/items/0");
    item.refuse("/name", "a\nb", "must be a name");
    problems.about("", "has too many items");
    item.at("/labels").addAll(List.of(Problem.about(Pointers.of("a/b~c"), "is no label")));

    assertThat(lines())
        .containsExactly(
            "/part/items/0/name: \"a\\nb\" must be a name",
            "/part: has too many items",
            "/part/items/0/labels/a~1b~0c: is no label");
    assertThat(item.size()).isEqualTo(3);
  }

  @Test
  void bothEndsOfARangeAreAllowed() {
    problems
        .range("/port", 0, 0, 65_535)
        .range("/port", 65_535, 0, 65_535)
        .range("/port", 65_536, 0, 65_535)
        .range("/time", Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofHours(1))
        .range("/time", Duration.ofHours(1), Duration.ofSeconds(1), Duration.ofHours(1))
        .range("/time", Duration.ofMinutes(61), Duration.ofSeconds(1), Duration.ofHours(1));

    assertThat(lines())
        .containsExactly(
            "/part/port: 65536 must be from 0 to 65535",
            "/part/time: \"1h1m\" must be from \"1s\" to \"1h\"");
  }

  @Test
  void textsThatCannotBeReadAreRefusedWithExamples() {
    assertThat(problems.duration("/after", "1m")).contains(Duration.ofMinutes(1));
    assertThat(problems.duration("/after", "soon")).isEmpty();
    assertThat(problems.quantity("/memory", "memory", "1Gi")).isPresent();
    assertThat(problems.quantity("/memory", "memory", "-1")).isEmpty();
    problems.rule(Names.checkLabelKey("app"), "/key", "app");
    problems.rule(Names.checkTaintEffect("Never"), "/effect", "Never");

    assertThat(lines())
        .hasSize(3)
        .startsWith(
            "/part/after: \"soon\" must be a duration such as \"10s\" or \"1m30s\"",
            "/part/memory: \"-1\" must be a quantity from 0 up, such as \"4\", \"500m\" or"
                + " \"8Gi\"");
    assertThat(lines().get(2)).startsWith("/part/effect: \"Never\" must be ");
  }

  @Test
  void allOfThemAreThrownAtOnceAndNothingWithoutAny() {
    problems.that(true, "/a", 1, "must be 2").done(ProblemsTest::failure);
    problems.that(false, "/a", 1, "must be 2").that(false, "/b", true, "must be false");

    assertThatThrownBy(() -> problems.done(ProblemsTest::failure))
        .hasMessage("/part/a: 1 must be 2; /part/b: true must be false");
  }

  private static IllegalStateException failure(List<Problem> problems) {
    return new IllegalStateException(
        problems.stream().map(Problem::toString).collect(Collectors.joining("; ")));
  }

  @Test
  void aLongListOfTextsIsCut() {
    List<String> texts = Collections.nCopies(52, "x".repeat(2_000));

    assertThat(OneLine.first(texts)).hasSize(51).endsWith("and 2 more");
    assertThat(OneLine.first(texts).get(0)).isEqualTo("x".repeat(1_000) + "…");
    assertThat(OneLine.first(texts.subList(0, 50))).hasSize(50);
  }
}
