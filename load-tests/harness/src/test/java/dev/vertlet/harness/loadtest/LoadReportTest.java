package dev.vertlet.harness.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.harness.load.Counts;
import dev.vertlet.harness.load.Latencies;
import dev.vertlet.harness.load.Measurements;
import dev.vertlet.harness.load.Pace;
import dev.vertlet.harness.load.PhaseResult;
import dev.vertlet.harness.measure.ProcessUsage;
import dev.vertlet.harness.subject.Profile;
import dev.vertlet.harness.subject.SubjectSpec;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LoadReportTest {
  private static LoadReport report(int gone) {
    PhaseResult up = new PhaseResult(200, 2, new Latencies(200, 10, 20, 30.25, 40));
    PhaseResult down = new PhaseResult(gone, 4, new Latencies(gone, 1, 2, 3, 4));
    return new LoadReport(
        new LoadTestOptions(
            new Target.Embedded(),
            Optional.empty(),
            2,
            200,
            new SubjectSpec.InProcess("x", Profile.FAST),
            new Pace.Constant(50)),
        "v1.2.3",
        1.5,
        new Counts(2, 200, gone),
        new Measurements(up, down, new Latencies(8, 10_000, 0, 0, 11_000), 1, 0, 3, "too busy"),
        new AgentCost(
            new ProcessUsage(Duration.ofMillis(1_000), 90, 95),
            new ProcessUsage(Duration.ofMillis(1_400), 120, 125),
            new ProcessUsage(Duration.ofMillis(1_500), 110, 130)));
  }

  @Test
  void jsonHasUnitsInItsNames() {
    JsonObject json = report(200).json();

    assertThat(json.getString("pace")).isEqualTo("50.0 pods/s");
    assertThat(json.getString("subject")).isEqualTo("x");
    assertThat(json.getJsonObject("up").getDouble("per_s")).isEqualTo(100);
    assertThat(json.getJsonObject("up").getDouble("p99_ms")).isEqualTo(30.25);
    assertThat(json.getJsonObject("agent").getDouble("cpu_ms_per_pod_up")).isEqualTo(2);
    assertThat(json.getJsonObject("agent").getDouble("cpu_ms_per_pod_down")).isEqualTo(0.5);
    assertThat(json.getJsonObject("agent").getDouble("rss_mb_peak")).isEqualTo(130);
    assertThat(json.getJsonObject("lease_gaps").getDouble("max_ms")).isEqualTo(11_000);
    assertThat(json.getInteger("node_flips")).isEqualTo(1);
    assertThat(json.getInteger("errors")).isEqualTo(3);
  }

  @Test
  void textIsATable() {
    assertThat(report(200).text().lines())
        .anySatisfy(
            line -> assertThat(line).matches("create to Ready +200 +100\\.0 +10\\.0 +20\\.0 .*"))
        .contains(
            "agent             CPU 2.00 ms per pod up, 0.50 ms per pod down",
            "lease gaps        p50 10.0 s, longest 11.0 s, of 8",
            "errors            3, the last: too busy");
  }

  @Test
  void isCompleteWhenEveryPodCameAndWent() {
    assertThat(report(200).complete()).isTrue();
    assertThat(report(199).complete()).isFalse();
  }
}
