package dev.vertlet.harness.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.harness.load.Measurements;
import dev.vertlet.harness.load.ProcessUsage;
import dev.vertlet.harness.result.Latencies;
import dev.vertlet.harness.result.PhaseResult;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LoadReportTest {
  private static LoadReport report(int gone) {
    PhaseResult up = phase("up", 2, 200, 0, latencies(200, 10, 20, 30.25, 40), Latencies.NONE);
    PhaseResult down = phase("down", 4, 0, gone, Latencies.NONE, latencies(gone, 1, 2, 3, 4));
    return new LoadReport(
        new LoadTestOptions(
            new Target.Embedded(),
            Optional.empty(),
            2,
            200,
            LoadTestOptions.Profile.FAST,
            Optional.of(50.0)),
        "v1.2.3",
        1.5,
        new Measurements(
            List.of(up, down), latencies(8, 10_000, 0, 0, 11_000), 1, 0, 0, 3, "too busy"),
        new AgentCost(
            new ProcessUsage(Duration.ofMillis(1_000), 90, 95),
            new ProcessUsage(Duration.ofMillis(1_400), 120, 125),
            new ProcessUsage(Duration.ofMillis(1_500), 110, 130)));
  }

  private static Latencies latencies(long count, double p50, double p90, double p99, double max) {
    return new Latencies(count, p50, p90, p99, max, List.of());
  }

  private static PhaseResult phase(
      String name, double seconds, int ready, int gone, Latencies create, Latencies delete) {
    return new PhaseResult(
        name, false, 0, seconds, ready, ready, gone, gone, 0, create, delete, 0, List.of());
  }

  @Test
  void jsonHasUnitsInItsNames() {
    JsonObject json = report(200).json();

    assertThat(json.getString("pace")).isEqualTo("50.0 pods/s");
    assertThat(json.getString("profile")).isEqualTo("fast");
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
