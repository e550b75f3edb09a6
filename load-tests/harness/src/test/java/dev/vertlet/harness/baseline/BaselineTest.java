package dev.vertlet.harness.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.config.ConfigException;
import dev.vertlet.harness.baseline.Baseline.Outcome;
import dev.vertlet.harness.result.Comparison;
import dev.vertlet.harness.result.SampleRuns;
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

    Outcome outcome = baseline(0, 100).check(comparison).get(0);

    double slow = comparison.subjects().get(0).median(FIGURE).orElseThrow();
    double fast = comparison.subjects().get(1).median(FIGURE).orElseThrow();
    assertThat(outcome.value()).isEqualTo(slow / fast).isNotEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"0, 100, true", "0, 0.01, false", "90, 100, false"})
  void aRatioOutOfItsBoundsIsARegression(double min, double max, boolean met) {
    assertThat(baseline(min, max).check(comparison()))
        .singleElement()
        .extracting(Outcome::met)
        .isEqualTo(met);
  }

  @Test
  void aFigureThatNobodyMeasuredIsARegression() {
    Baseline baseline =
        new Baseline("slow", "fast", List.of(new Baseline.Ratio("phases.x.per_s", 1, 0, 9)));

    List<Outcome> outcomes = baseline.check(comparison());

    assertThat(outcomes).noneMatch(Outcome::met);
    assertThat(BaselineText.of(baseline, outcomes))
        .isEqualTo(
            "REGRESSION  slow's phases.x.per_s is an unknown number of times that of fast;"
                + " committed 1.00, allowed 0.00 to 9.00");
  }

  @Test
  void namesTheSubjectThatIsNotMeasured() {
    assertThatThrownBy(() -> baseline(0, 1).requireSubjects(Set.of("slow")))
        .hasMessage("\"fast\" is in the ratios and is not measured; measured are slow");
  }

  @Test
  void readsWhatIsCommitted() {
    Baseline committed = Baseline.read(Path.of("../baseline.json"));

    assertThat(committed.ratios())
        .allMatch(
            ratio -> ratio.committed() >= ratio.min() && ratio.committed() <= ratio.max(),
            "a committed ratio is within its own bounds");
    committed.requireSubjects(Set.of("vertlet-fast", "bare"));
  }

  @Test
  void aRatioWithoutABoundIsAMistake() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("b.json"),
            """
            {"subject": "a", "peer": "b", "ratios": [{"figure": "lost", "committed": 1}]}
            """);

    assertThatThrownBy(() -> Baseline.read(file))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("/ratios/0/figure")
        .hasMessageContaining("must have min, max or both");
  }

  private static Baseline baseline(double min, double max) {
    return new Baseline("slow", "fast", List.of(new Baseline.Ratio(FIGURE, 1, min, max)));
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
