package dev.vertlet.harness.result.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.harness.result.Comparison;
import dev.vertlet.harness.result.RunJson;
import dev.vertlet.harness.result.RunResult;
import dev.vertlet.harness.result.SampleRuns;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextTest {
  @Test
  void aRunHasARowForEachPhase() {
    String text = RunText.of(SampleRuns.run("vertlet", 1, 3, 2));

    assertThat(text.lines())
        .anyMatch(line -> line.matches("warm up \\(warm-up\\) +500 .*"))
        .anyMatch(
            line ->
                line.matches("up +5,000 +[\\d.,]+ +[\\d.,]+ +[\\d,]+ +– +– +0\\.\\d\\d +[\\d.,]+"))
        .anyMatch(
            line ->
                line.matches(
                    "down +5,000 +[\\d.,]+ +– +– +[\\d.,]+ +[\\d.,]+ +0\\.\\d\\d +[\\d.,]+"))
        .anyMatch(
            line ->
                line.matches(
                    "restart {11}12\\.5 s: every lease renewed after \\d\\.\\d\\d s,"
                        + " with 120 patches of pods' status"))
        .anyMatch(
            line ->
                line.matches(
                    "lease gaps {8}p50 [\\d.]+ s, p99 [\\d.]+ s, longest [\\d.]+ s; [\\d,]+ measured"))
        .contains(
            "lost pods         2",
            "restart           40.0 s: has not renewed every lease since",
            "errors            3, the last: PATCH pods/status: 503 Service Unavailable",
            "fault             47.5 s: API server restarted, down for 3s",
            "threshold         NOT MET: lost is 2, wanted at most 0",
            "verdict           FAILED");
  }

  @Test
  void aRunWithoutLossPassed() {
    assertThat(RunText.of(SampleRuns.vertlet(1))).endsWith("verdict           passed");
  }

  @Test
  void aRunThatWasTooShortForLeaseGapsHasNone() {
    JsonObject gaps = new JsonObject().put("count", 0).put("curve", new JsonArray());
    JsonObject json = RunJson.of(SampleRuns.vertlet(1)).put("lease_gaps", gaps);
    RunResult run = RunJson.read(new JsonObject(json.encode())).get(0);

    assertThat(RunText.of(run).lines()).contains("lease gaps        –");
    assertThat(ComparisonText.of(new Comparison(List.of(run))).lines())
        .filteredOn(line -> line.startsWith("  p50, s") || line.startsWith("  longest, s"))
        .hasSize(2)
        .allMatch(line -> line.endsWith(" –"));
  }

  @Test
  void versionsStandAboveTheFigures() {
    RunResult vertlet = SampleRuns.versioned("vertlet", "vertlet 1.0.0 (0123abc)");
    RunResult kwok = SampleRuns.versioned("kwok-64", "kwok version v0.8.0");

    assertThat(RunText.of(kwok))
        .startsWith("daily churn: kwok-64 [kwok version v0.8.0], 100 nodes");
    assertThat(RunText.of(SampleRuns.vertlet(1))).startsWith("daily churn: vertlet, 100 nodes");
    assertThat(
            ComparisonText.of(
                    new Comparison(
                        List.of(
                            vertlet,
                            kwok,
                            SampleRuns.versioned("kwok-64", "kwok version v0.9.0"),
                            SampleRuns.run("nameless", 1, 1, 0))))
                .lines()
                .limit(3))
        .containsExactly(
            "vertlet: vertlet 1.0.0 (0123abc)",
            "kwok-64: kwok version v0.8.0 / kwok version v0.9.0",
            ComparisonText.of(
                    new Comparison(
                        List.of(
                            SampleRuns.vertlet(1),
                            SampleRuns.run("kwok-64", 1, 1, 0),
                            SampleRuns.run("nameless", 1, 1, 0))))
                .lines()
                .findFirst()
                .orElseThrow());
  }

  @Test
  void serviceLevelsComeFirstWithTheirSlowestKind() {
    String text = RunText.of(SampleRuns.recorded("vertlet", 1));

    assertThat(text.lines().toList().subList(1, 5))
        .containsExactly(
            "service level     MISSED: writes of single objects, p99 1,508 ms of at most 1,000:"
                + " PATCH pods/status, measured by the subject",
            "service level     met: reads of single objects, p99 5 ms of at most 1,000:"
                + " GET nodes, measured by the API server",
            "service level     met: lists, p99 96.4 ms of at most 30,000:"
                + " LIST pods (cluster), measured by the API server",
            "service level     met: pod start-up, p99 812 ms of at most 5,000");
  }
}
