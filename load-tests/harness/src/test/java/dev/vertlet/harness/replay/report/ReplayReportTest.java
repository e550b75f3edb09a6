package dev.vertlet.harness.replay.report;

import static dev.vertlet.harness.replay.report.PodTimes.NEVER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.harness.measure.LatencyHistogram;
import dev.vertlet.harness.replay.report.PodTimes.Moments;
import dev.vertlet.harness.result.RunJson;
import dev.vertlet.harness.result.RunResult.Environment;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

public class ReplayReportTest {
  private static final Demand NODE = new Demand(4, 16e9);

  private static PodTimes pod(String name, boolean initial, Moments at) {
    return new PodTimes(name, "Deployment a/web", "n1", new Demand(1, 4e9), initial, at);
  }

  private static RunTimes run(double factor) {
    return new RunTimes(
        List.of(
            pod("a/1", true, new Moments(0, 0, 0, 0, NEVER)),
            pod("a/2", false, moments(1_000, 1_100, 3_000, 4_000, 8_000).dividedBy(factor)),
            pod("a/3", false, moments(2_000, NEVER, NEVER, NEVER, NEVER).dividedBy(factor))),
        List.of(
            new NodeTimes("n1", "general", NODE, 0, NEVER),
            new NodeTimes("n2", "gpu", NODE, Math.round(5_000 / factor), NEVER)),
        Math.round(10_000 / factor));
  }

  private static Moments moments(long created, long scheduled, long started, long ready, long end) {
    return new Moments(created, scheduled, started, ready, end);
  }

  /** Report of a replay at a speed, which went exactly as recorded. */
  public static ReplayReport report(String name, double speed) {
    LatencyHistogram lateness = new LatencyHistogram();
    lateness.record(3_000_000);
    return ReplayReport.of(
        "trace <b>.gz",
        run(1),
        name,
        run(speed).scaledBack(speed),
        new ReplayReport.Driven(speed, 1, RunFigures.json(lateness.latencies()), List.of("a note")),
        new Environment(
            Instant.EPOCH,
            "0.1",
            "abc",
            1,
            "control-plane",
            "v1.36.3",
            2,
            "17",
            "Linux",
            List.of("replay", "trace.gz")));
  }

  private static double figure(JsonObject run, String path) {
    return RunJson.figure(run, path).orElse(Double.NaN);
  }

  @Test
  void figuresAreOfPodsThatAreNotOlderThanTheRun() {
    JsonObject recorded = report("replayed", 1).runs().get(0);

    assertThat(figure(recorded, "pods.created")).isEqualTo(3);
    assertThat(figure(recorded, "pods.never_ran")).isEqualTo(1);
    assertThat(figure(recorded, "pending.count")).isEqualTo(1);
    assertThat(figure(recorded, "pending.p50_ms")).isBetween(1_999.0, 2_002.0);
    assertThat(figure(recorded, "scheduling.p50_ms")).isBetween(99.0, 101.0);
    assertThat(figure(recorded, "start.p50_ms")).isBetween(1_899.0, 1_902.0);
    assertThat(figure(recorded, "run.p50_ms")).isBetween(4_999.0, 5_003.0);
    assertThat(recorded.getJsonArray("never_ran").getString(0)).contains("a/3");
  }

  @Test
  void aReplayInWhichFewerPodsRanDoesNotPass() {
    ReplayReport report = report("replayed", 1);
    report.runs().get(1).getJsonObject("pods").put("created", 2).put("never_ran", 1);

    JsonObject page = ReplayPage.data(report);

    assertThat(page.getBoolean("passed")).isFalse();
    assertThat(page.getString("verdict")).isEqualTo("1 pods fewer than recorded ran");
  }

  @Test
  void tablesSayHowManyPodsWereMeasured() {
    assertThat(ReplayText.of(report("replayed", 1)))
        .containsPattern("pending \\(created to running\\)\\s+pods +1 +1 ")
        .containsPattern("lateness, real time\\s+steps +– +1");
  }

  @Test
  void curvesShowPodsNodesAndWhatIsRequested() {
    JsonObject curves = report("replayed", 1).runs().get(0).getJsonObject("over_time");

    assertThat(curves.getJsonArray("running"))
        .isEqualTo(new JsonArray("[1.0,1.0,1.0,2.0,2.0,2.0,2.0,2.0,1.0,1.0,1.0]"));
    assertThat(curves.getJsonArray("pending").getDouble(2)).isEqualTo(2);
    assertThat(curves.getJsonArray("nodes").getDouble(4)).isEqualTo(1);
    assertThat(curves.getJsonArray("nodes").getDouble(5)).isEqualTo(2);
    assertThat(curves.getJsonArray("cpu_percent").getDouble(0)).isEqualTo(25);
    assertThat(curves.getJsonArray("cpu_percent").getDouble(4)).isEqualTo(50);
    assertThat(curves.getJsonArray("cpu_percent").getDouble(5)).isEqualTo(25);
  }

  @Test
  void durationsOfAQuickReplayAreScaledBack() {
    JsonObject quick = report("replayed", 4).runs().get(1);

    assertThat(figure(quick, "seconds")).isEqualTo(10);
    assertThat(figure(quick, "pending.p50_ms")).isBetween(1_990.0, 2_010.0);
    assertThat(figure(quick, "run.p50_ms")).isBetween(4_990.0, 5_010.0);
    assertThat(figure(quick, "lateness.max_ms")).as("real time").isBetween(2.9, 3.1);
  }

  @Test
  void placementIsByGroupOfNodes() {
    JsonObject run = report("replayed", 1).runs().get(0);

    assertThat(run.getJsonObject("groups").getMap()).isEqualTo(Map.of("general", 3, "gpu", 0));
  }

  @Test
  void isReadAsItWasWritten() {
    ReplayReport report = report("replayed", 2);
    JsonObject stored = new JsonObject(report.json().encode());

    assertThat(ReplayReport.read(stored).json().encode()).isEqualTo(report.json().encode());
  }

  @Test
  void anEditedReportIsRefusedByItsField() {
    JsonObject stored = new JsonObject(report("replayed", 2).json().encode());
    stored.getJsonArray("runs").getJsonObject(1).getJsonObject("over_time").put("nodes", "many");

    assertThatThrownBy(() -> ReplayReport.read(stored))
        .hasMessage("runs[1].over_time.nodes: many must be an array of numbers");
    assertThatThrownBy(() -> ReplayReport.read(new JsonObject("{\"kind\":\"load\"}")))
        .hasMessage("kind: load must be \"replay\"");
  }

  @Test
  void severalReplaysStandBesideOneRecording() {
    ReplayReport together =
        ReplayReport.together(List.of(report("replayed", 1), report("replayed", 4)));

    assertThat(together.runs())
        .extracting(run -> run.getString("name"))
        .containsExactly("recorded", "replayed", "replayed 2");
    assertThat(ReplayReport.differences(List.of(report("replayed", 1), report("replayed", 4))))
        .isEmpty();
    assertThat(ReplayText.of(together))
        .contains("recorded", "replayed 2", "pods by node group", "a note", "never ran");
  }

  @Test
  void thePageHoldsTheReportAndNamesCannotLeaveItsScript() {
    String page = ReplayPage.of(report("</script><script>alert(1)", 4));

    assertThat(page).doesNotContain("<script>alert").contains("Pods over time");
    JsonObject data = ReplayPage.data(report("replayed", 4));
    assertThat(data.getBoolean("passed")).isTrue();
    assertThat(data.getString("where"))
        .isEqualTo("control-plane, Kubernetes v1.36.3 · replayed at speed 4");
    assertThat(data.getJsonArray("tiles").size()).isEqualTo(6);
  }
}
