package dev.vertlet.harness.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  private static Comparison lost(int... lost) {
    return new Comparison(
        java.util.Arrays.stream(lost)
            .mapToObj(pods -> SampleRuns.run("a", 1, pods, pods))
            .toList());
  }

  @Test
  void medianOfAnOddNumberIsTheOneInTheMiddle() {
    assertThat(lost(9, 1, 4).subjects().get(0).median("lost")).hasValue(4);
  }

  @Test
  void medianOfAnEvenNumberIsTheMeanOfTwo() {
    assertThat(lost(9, 1, 4, 5).subjects().get(0).median("lost")).hasValue(4.5);
  }

  @Test
  void noRunHasAFigureThatNobodyMeasured() {
    assertThat(lost(1).subjects().get(0).median("phases.down.create.p50_ms")).isEmpty();
  }

  @Test
  void subjectsComeInTheOrderOfTheirFirstRun() {
    Comparison comparison =
        new Comparison(
            List.of(
                SampleRuns.run("b", 1, 1, 0),
                SampleRuns.run("a", 1, 2, 0),
                SampleRuns.run("b", 1, 3, 0)));

    assertThat(comparison.subjects())
        .extracting(Comparison.SubjectRuns::name)
        .containsExactly("b", "a");
    assertThat(comparison.subjects().get(0).runs()).hasSize(2);
    assertThat(comparison.passed()).isTrue();
  }

  @Test
  void theTypicalRunIsNeitherTheFastestNorTheSlowest() {
    List<RunResult> runs =
        DoubleStream.of(1, 9, 3).mapToObj(slower -> SampleRuns.run("a", slower, 1, 0)).toList();

    assertThat(new Comparison(runs).subjects().get(0).typical()).isEqualTo(runs.get(2));
  }

  @Test
  void runsThatAreNotAlikeAreTold() {
    RunResult run = SampleRuns.vertlet(1);
    JsonObject other = new JsonObject(RunJson.of(run).encode()).put("scenario", "other");
    other.getJsonObject("environment").put("cores", 8);

    assertThat(new Comparison(List.of(run, SampleRuns.vertlet(2))).differences()).isEmpty();
    assertThat(new Comparison(List.of(run, RunJson.read(other).get(0), run)).differences())
        .containsExactly("scenario: daily churn, other", "cores: 2, 8");
  }

  @Test
  void nothingCannotBeCompared() {
    assertThatThrownBy(() -> new Comparison(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void figuresAreThoseOfMeasuredPhases() {
    List<Figure> figures = Figures.of(lost(0));

    assertThat(figures).extracting(Figure::group).doesNotContain("warm up");
    assertThat(figures)
        .extracting(Figure::path)
        .contains("phases.up.per_s", "phases.soak.delete.p99_ms", "lease_gaps.max_ms", "lost")
        .doesNotContain(
            "phases.up.delete.p50_ms", "phases.down.create.p50_ms", "resources.slope_mib_per_hour");
  }

  @Test
  void aHoldHasCpuTimeAndUpdatesHaveThroughput() {
    RunResult run =
        SampleRuns.of(List.of(SampleRuns.updates("idle", 0), SampleRuns.updates("storm", 50)));
    Comparison comparison = new Comparison(List.of(run));

    assertThat(Figures.of(comparison))
        .filteredOn(figure -> figure.path().startsWith("phases."))
        .extracting(Figure::path, Figure::unit)
        .containsExactly(
            tuple("phases.idle.cpu_percent", "%"),
            tuple("phases.storm.per_s", "updates/s"),
            tuple("phases.storm.cpu_ms_per_pod", "ms"));
    assertThat(comparison.subjects().get(0).median("phases.idle.cpu_percent")).hasValue(0.4);
    assertThat(comparison.subjects().get(0).median("phases.idle.cpu_ms_per_pod")).isEmpty();
    assertThat(comparison.subjects().get(0).median("restarts.0.serving_s")).isPresent();
    assertThat(comparison.subjects().get(0).median("restarts.1.serving_s")).isEmpty();
    assertThat(comparison.subjects().get(0).median("outages.0.pods_s")).isPresent();
    assertThat(comparison.subjects().get(0).median("outages.1.pods_s")).isEmpty();
  }

  @Test
  void figuresHaveThreeDigitsThatMatter() {
    assertThat(DoubleStream.of(0, 0.123, 9.996, 12.34, 123.4, 12_345.6, 5, -3.14159))
        .extracting(Figure::number)
        .containsExactly("0", "0.12", "10.0", "12.3", "123", "12,346", "5", "-3.14");
  }
}
