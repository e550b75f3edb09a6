package dev.vertlet.harness.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunJsonTest {
  private static final RunResult RUN = SampleRuns.run("kwok \"64\"", 1.5, 7, 2);

  @Test
  void whatIsWrittenIsReadBack() {
    JsonObject written = new JsonObject(RunJson.of(RUN).encodePrettily());

    assertThat(RunJson.read(written)).containsExactly(RUN);
  }

  @Test
  void theRecordOfAControlPlaneIsReadBack() {
    RunResult run = SampleRuns.recorded("vertlet", 1);

    JsonObject written = new JsonObject(RunJson.of(run).encode());

    assertThat(RunJson.read(written)).containsExactly(run);
    assertThat(RunJson.figure(written, "service_levels.mutating.p99_ms")).hasValue(1_507.5);
    assertThat(RunJson.figure(written, "control_plane.totals.watch_events")).hasValue(31_000);
    assertThat(Figures.of(new Comparison(List.of(run))).get(0).path())
        .isEqualTo("service_levels.mutating.p99_ms");
  }

  @Test
  void mistakesInTheRecordOfAControlPlaneAreFound() {
    JsonObject written = new JsonObject(RunJson.of(SampleRuns.recorded("vertlet", 1)).encode());
    written.getJsonObject("service_levels").getJsonObject("lists").put("measured_by", "me");

    assertThatThrownBy(() -> RunJson.read(written))
        .hasMessage(
            "service_levels.lists.measured_by: me must be one of api_server, subject, load, watch");
  }

  @Test
  void theSubjectsVersionIsReadBackAndMayBeMissingInOldFiles() {
    RunResult run = SampleRuns.versioned("kwok-64", "kwok version v0.8.0");
    JsonObject written = new JsonObject(RunJson.of(run).encode());

    assertThat(written.getJsonObject("subject").getString("version"))
        .isEqualTo("kwok version v0.8.0");
    assertThat(RunJson.read(written)).containsExactly(run);

    written.getJsonObject("subject").remove("version");
    assertThat(RunJson.read(written))
        .singleElement()
        .satisfies(old -> assertThat(old.subject().version()).isEmpty());
  }

  @Test
  void severalRunsAreReadBackInTheirOrder() {
    List<RunResult> runs = List.of(RUN, SampleRuns.vertlet(1), SampleRuns.vertlet(2));

    JsonObject written = new JsonObject(RunJson.of(new Comparison(runs)).encode());

    assertThat(RunJson.read(written)).isEqualTo(runs);
    assertThat(written.getJsonObject("medians").fieldNames())
        .containsExactly("kwok \"64\"", "vertlet");
  }

  @Test
  void theHeapIsToldForEachPodMoreOrFewer() {
    List<PhaseResult> phases =
        RUN.phases().stream().map(phase -> phase.withHeap(new LiveHeap(1_000, 51_000))).toList();
    RunResult run = SampleRuns.of(phases);

    JsonObject written = new JsonObject(RunJson.of(run).encode());

    assertThat(RunJson.figure(written, "phases.up.heap.bytes_per_pod")).hasValue(10);
    assertThat(RunJson.figure(written, "phases.down.heap.bytes_per_pod")).hasValue(-10);
    assertThat(RunJson.figure(written, "phases.soak.heap.bytes_per_pod")).isEmpty();
    assertThat(RunJson.read(written)).containsExactly(run);
    assertThat(Figures.of(new Comparison(List.of(run))))
        .extracting(Figure::path)
        .contains("phases.up.heap.bytes_per_pod");
  }

  @Test
  void figuresAreFoundByTheirPath() {
    JsonObject json = RunJson.of(RUN);

    assertThat(RunJson.figure(json, "phases.up.create.p99_ms"))
        .hasValue(RUN.phases().get(1).create().p99());
    assertThat(RunJson.figure(json, "phases.warm up.per_s"))
        .hasValueCloseTo(RUN.phases().get(0).perSecond(), within());
    assertThat(RunJson.figure(json, "resources.slope_mib_per_hour"))
        .hasValue(RUN.resources().slopeMiBPerHour());
    assertThat(RunJson.figure(json, "lost")).hasValue(2);
    assertThat(RunJson.figure(json, "traffic.requests_per_pod").orElse(0)).isPositive();
  }

  @Test
  void trafficIsDividedByThePodsOfPhasesThatCount() {
    long pods = 5_000 + 2_250;
    Traffic.Requests patches = RUN.traffic().orElseThrow().requests().get(0);

    JsonObject traffic = RunJson.of(RUN).getJsonObject("traffic");

    assertThat(RUN.measuredPods()).isEqualTo(pods);
    assertThat(traffic.getJsonArray("requests").getJsonObject(0).getDouble("count_per_pod"))
        .isCloseTo((double) patches.count() / pods, within());
    assertThat(traffic.getJsonArray("requests").getJsonObject(0).getDouble("bytes_per_pod"))
        .isCloseTo((9_200_000.0 + 41_000_000) / pods, within());
    assertThat(traffic.getDouble("bytes_per_pod"))
        .isCloseTo(
            (double)
                    (RUN.traffic().orElseThrow().bytesSent()
                        + RUN.traffic().orElseThrow().bytesReceived())
                / pods,
            within());
  }

  @Test
  void namesOfPhasesMayHaveDots() {
    JsonObject phases = new JsonObject().put("v1.2", new JsonObject().put("per_s", 5));

    assertThat(RunJson.figure(new JsonObject().put("phases", phases), "phases.v1.2.per_s"))
        .hasValue(5);
  }

  @Test
  void whatWasNotMeasuredIsNoFigure() {
    assertThat(RunJson.figure(RunJson.of(RUN), "phases.down.create.p99_ms"))
        .isEqualTo(OptionalDouble.empty());
    assertThat(RunJson.figure(RunJson.of(RUN), "phases.none.per_s")).isEmpty();
    assertThat(RunJson.figure(RunJson.of(RUN), "subject.name")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                                 | format: is missing; must be a whole number of at least 0
          {"format": 2}                      | format: 2 must be 1
          {"format": 1, "phases": []}        | phases: [] must be an object
          {"runs": [{"format": 1}]}          | runs[0].phases: is missing; must be an object
          {"runs": [7]}                      | runs[0]: 7 must be an object
          {"runs": {}}                       | runs: {} must be an array
          """)
  void mistakesNameFieldValueAndWhatIsAllowed(String json, String message) {
    assertThatThrownBy(() -> RunJson.read(new JsonObject(json)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          lost                    | -1       | lost: -1 must be a whole number of at least 0
          lost                    | 3e9      | lost: 3.0E9 must be a whole number of at least 0
          nodes                   | 5000000000 | nodes: 5000000000 must be at most 2147483647
          environment.started     | "today"  | environment.started: today must be a time such as 2026-01-31T12:00:00Z
          lease_gaps.curve        | [[1]]    | lease_gaps.curve: [1] must be pairs of numbers
          subject.command         | [1]      | subject.command: [1] must be an array of texts
          """)
  void mistakesInsideAreFoundToo(String path, String value, String message) {
    JsonObject json = new JsonObject(RunJson.of(RUN).encode());
    String[] names = path.split("\\.");
    JsonObject owner = names.length == 1 ? json : json.getJsonObject(names[0]);
    owner.put(names[names.length - 1], io.vertx.core.json.Json.decodeValue(value));

    assertThatThrownBy(() -> RunJson.read(json))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  private static org.assertj.core.data.Offset<Double> within() {
    return org.assertj.core.data.Offset.offset(0.001);
  }
}
