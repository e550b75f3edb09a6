package dev.vertlet.harness.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.config.document.ConfigException;
import dev.vertlet.harness.baseline.Baseline.Outcome;
import dev.vertlet.harness.result.Comparison;
import dev.vertlet.harness.result.RunJson;
import dev.vertlet.harness.result.SampleRuns;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BaselineTest {
  private static final String FIGURE = "phases.up.cpu_ms_per_pod";

  @TempDir private Path folder;

  @Test
  void aRatioIsOfTheMediansOfAllRuns() {
    Comparison comparison = comparison();

    Outcome outcome = baseline(1, 100).check(comparison).get(0);

    double slow = comparison.subjects().get(0).median(FIGURE).orElseThrow();
    double fast = comparison.subjects().get(1).median(FIGURE).orElseThrow();
    assertThat(outcome.value()).isEqualTo(slow / fast).isNotEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"1, 3, true", "2, 1.5, true", "1, 1.5, false", "0.1, 3, false"})
  void aRatioFurtherThanItsToleranceFromTheCommittedOneIsARegression(
      double committed, double tolerance, boolean met) {
    assertThat(baseline(committed, tolerance).check(comparison()))
        .singleElement()
        .extracting(Outcome::met)
        .isEqualTo(met);
  }

  @Test
  void aFigureThatNobodyMeasuredIsARegression() {
    Baseline baseline =
        new Baseline("slow", "fast", List.of(new Baseline.Ratio("phases.x.cpu_ms", 2, 1.5)));

    List<Outcome> outcomes = baseline.check(comparison());

    assertThat(outcomes).noneMatch(Outcome::met);
    assertThat(BaselineText.of(baseline, outcomes))
        .isEqualTo(
            "REGRESSION  slow's phases.x.cpu_ms is an unknown number of times that of fast;"
                + " committed 2, allowed up to 3, which is 1.5 times that");
  }

  @Test
  void aSubjectWhoseRunsFailedHasNoFigures() {
    Comparison half = new Comparison(List.of(SampleRuns.run("slow", 2, 1, 0)));

    assertThat(baseline(1, 3).measuredIn(half)).isFalse();
    assertThat(baseline(1, 3).measuredIn(comparison())).isTrue();
    assertThat(baseline(1, 3).check(half)).noneMatch(Outcome::met);
  }

  @Test
  void namesTheSubjectThatIsNotMeasured() {
    assertThatThrownBy(() -> baseline(1, 2).requireSubjects(Set.of("slow")))
        .hasMessage("peer: \"fast\" is not measured; measured are slow");
  }

  @Test
  void namesTheFigureThatIsNotMeasured() {
    Baseline baseline =
        new Baseline(
            "slow",
            "fast",
            List.of(new Baseline.Ratio(FIGURE, 1, 2), new Baseline.Ratio("phases.x.cpu_ms", 1, 2)));
    JsonObject result = RunJson.of(comparison().runs().get(0));

    assertThatThrownBy(() -> baseline.requireFigures(result))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "ratios: the result has no figure \"phases.x.cpu_ms\" (\"phases\" has ")
        .hasMessageNotContaining(FIGURE);
  }

  @Test
  void aRatioFarBelowOneIsToldInItsDigits() {
    Baseline baseline = baseline(0.001, 2);

    assertThat(BaselineText.of(baseline, baseline.check(comparison())))
        .endsWith("; committed 0.001, allowed up to 0.002, which is 2 times that");
  }

  @ParameterizedTest
  @CsvSource({"baseline.json, vertlet-fast, bare", "baseline-kubelet.json, vertlet, vertlet-fast"})
  void readsWhatIsCommitted(String file, String subject, String peer) {
    Baseline committed = Baseline.read(Path.of("..", file));

    assertThat(committed.ratios())
        .isNotEmpty()
        .allMatch(
            ratio -> ratio.limit() > ratio.committed() && ratio.limit() <= 3 * ratio.committed(),
            "noise is allowed for, more than three times is a regression");
    committed.requireSubjects(Set.of(subject, peer));
  }

  @Test
  void aRatioWithoutToleranceIsAMistake() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("b.json"),
            """
            {"subject": "a", "peer": "b", "ratios": [{"figure": "lost", "committed": 1}]}
            """);

    assertThatThrownBy(() -> Baseline.read(file))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("/ratios/0")
        .hasMessageContaining("tolerance");
  }

  @Test
  void aFigureOfWhichMoreIsBetterIsAMistake() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("b.json"),
            """
            {"subject": "a", "peer": "b",
             "ratios": [{"figure": "phases.up.per_s", "committed": 1, "tolerance": 2}]}
            """);

    assertThatThrownBy(() -> Baseline.read(file))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("/ratios/0/figure")
        .hasMessageContaining("must be one of which less is better");
  }

  private static Baseline baseline(double committed, double tolerance) {
    return new Baseline("slow", "fast", List.of(new Baseline.Ratio(FIGURE, committed, tolerance)));
  }

  private static Comparison comparison() {
    return new Comparison(
        List.of(
            SampleRuns.run("slow", 2, 1, 0),
            SampleRuns.run("fast", 1, 2, 0),
            SampleRuns.run("slow", 2.2, 3, 0),
            SampleRuns.run("fast", 1.1, 4, 0)));
  }
}
