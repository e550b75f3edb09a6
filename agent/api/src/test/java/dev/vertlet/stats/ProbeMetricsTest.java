package dev.vertlet.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.model.PodRef;
import dev.vertlet.provider.probe.ProbeKind;
import dev.vertlet.provider.probe.ProbeStats;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Row 2.3-metrics: what {@code /metrics/probes} says, against a document written by hand. */
@Tag("2.3-metrics")
class ProbeMetricsTest {
  private static final PodRef WEB = new PodRef("shop", "web", "uid-of-web");
  private static final List<Long> NONE = List.of(0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L);
  private static final List<Long> SOME = List.of(1L, 0L, 2L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 1L);

  private static final String TEXT =
      """
      # HELP prober_probe_duration_seconds [ALPHA] Duration in seconds for a probe response.
      # TYPE prober_probe_duration_seconds histogram
      prober_probe_duration_seconds_bucket{container="main",namespace="shop",pod="web",probe_type="Readiness",le="0.005"} 1
      prober_probe_duration_seconds_bucket{container="main",namespace="shop",pod="web",probe_type="Readiness",le="0.01"} 1
      prober_probe_duration_seconds_bucket{container="main",namespace="shop",pod="web",probe_type="Readiness",le="0.025"} 3
      prober_probe_duration_seconds_bucket{container="main",namespace="shop",pod="web",probe_type="Readiness",le="0.05"} 3
      prober_probe_duration_seconds_bucket{container="main",namespace="shop",pod="web",probe_type="Readiness",le="0.1"} 3
      prober_probe_duration_seconds_bucket{container="main",namespace="shop",pod="web",probe_type="Readiness",le="0.25"} 3
      prober_probe_duration_seconds_bucket{container="main",namespace="shop",pod="web",probe_type="Readiness",le="0.5"} 3
      prober_probe_duration_seconds_bucket{container="main",namespace="shop",pod="web",probe_type="Readiness",le="1"} 3
      prober_probe_duration_seconds_bucket{container="main",namespace="shop",pod="web",probe_type="Readiness",le="2.5"} 3
      prober_probe_duration_seconds_bucket{container="main",namespace="shop",pod="web",probe_type="Readiness",le="5"} 3
      prober_probe_duration_seconds_bucket{container="main",namespace="shop",pod="web",probe_type="Readiness",le="10"} 3
      prober_probe_duration_seconds_bucket{container="main",namespace="shop",pod="web",probe_type="Readiness",le="+Inf"} 4
      prober_probe_duration_seconds_sum{container="main",namespace="shop",pod="web",probe_type="Readiness"} 12.05
      prober_probe_duration_seconds_count{container="main",namespace="shop",pod="web",probe_type="Readiness"} 4
      # HELP prober_probe_total [BETA] Cumulative number of a liveness, readiness or startup probe for a container by result.
      # TYPE prober_probe_total counter
      prober_probe_total{container="main",namespace="shop",pod="web",pod_uid="uid-of-web",probe_type="Liveness",result="failed"} 3
      prober_probe_total{container="main",namespace="shop",pod="web",pod_uid="uid-of-web",probe_type="Readiness",result="failed"} 2
      prober_probe_total{container="main",namespace="shop",pod="web",pod_uid="uid-of-web",probe_type="Readiness",result="successful"} 4
      # HELP process_start_time_seconds [ALPHA] Start time of the process since unix epoch in seconds.
      # TYPE process_start_time_seconds gauge
      process_start_time_seconds 1.7726004005e+09
      """;

  @Test
  void resultsAndTimesAreToldUnderTheKubeletsNames() {
    List<ProbeStats> probes =
        List.of(
            new ProbeStats(WEB, "main", ProbeKind.READINESS, 2, SOME, 12.05),
            new ProbeStats(WEB, "main", ProbeKind.LIVENESS, 3, NONE, 0));
    String text = ProbeMetrics.text(probes, Lab.STARTED);
    assertThat(text).isEqualTo(TEXT);
    assertThat(Exposition.of(text).types()).containsKey("prober_probe_total");
  }

  @Test
  void withoutProbesThereIsTheStartOfTheProcess() {
    assertThat(Exposition.of(ProbeMetrics.text(List.of(), Instant.EPOCH)).samples())
        .hasSize(1)
        .containsEntry("process_start_time_seconds", 0.0);
  }

  @Test
  void aHistogramHasAllItsBuckets() {
    assertThatThrownBy(() -> new ProbeStats(WEB, "main", ProbeKind.STARTUP, 0, List.of(1L), 0))
        .hasMessage("durations must have 12 numbers, got 1");
  }
}
