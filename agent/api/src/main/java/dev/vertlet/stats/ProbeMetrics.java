package dev.vertlet.stats;

import dev.vertlet.provider.probe.ProbeStats;
import dev.vertlet.stats.PrometheusText.Family;
import dev.vertlet.stats.PrometheusText.Type;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Document at {@code /metrics/probes}.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/prober/prober_manager.go">
 *     prober_manager.go, kubelet 1.36.3</a>
 */
public final class ProbeMetrics {
  /** Content type of a kubelet's response. */
  public static final String CONTENT_TYPE = PrometheusText.CONTENT_TYPE;

  private static final Comparator<ProbeStats> BY_NAME =
      Comparator.comparing((ProbeStats probe) -> probe.pod().namespace())
          .thenComparing(probe -> probe.pod().name())
          .thenComparing(ProbeStats::container)
          .thenComparing(ProbeStats::kind);

  private ProbeMetrics() {}

  /**
   * Writes the document.
   *
   * @param probes probes of one node's pods, in any order
   * @param started start time of this process
   */
  public static String text(List<ProbeStats> probes, Instant started) {
    PrometheusText text = new PrometheusText();
    text.family(
            "process_start_time_seconds",
            Type.GAUGE,
            "[ALPHA] Start time of the process since unix epoch in seconds.")
        .add(ResourceMetrics.seconds(started), null);
    Family total =
        text.family(
            "prober_probe_total",
            Type.COUNTER,
            "[BETA] Cumulative number of a liveness, readiness or startup probe for a container by"
                + " result.");
    Family duration =
        text.family(
            "prober_probe_duration_seconds",
            Type.HISTOGRAM,
            "[ALPHA] Duration in seconds for a probe response.");
    List<ProbeStats> sorted = new ArrayList<>(probes);
    sorted.sort(BY_NAME);
    for (ProbeStats probe : sorted) {
      long succeeded = probe.succeeded();
      total(total, probe, "failed", probe.failed());
      total(total, probe, "successful", succeeded);
      if (succeeded > 0) {
        duration(duration, probe, succeeded);
      }
    }
    return text.text();
  }

  /** Adds a counter, unless it is zero. */
  private static void total(Family total, ProbeStats probe, String result, long number) {
    if (number > 0) {
      total.add(
          number,
          null,
          "container",
          probe.container(),
          "namespace",
          probe.pod().namespace(),
          "pod",
          probe.pod().name(),
          "pod_uid",
          probe.pod().uid(),
          "probe_type",
          probe.kind().word(),
          "result",
          result);
    }
  }

  private static void duration(Family duration, ProbeStats probe, long succeeded) {
    long below = 0;
    for (int i = 0; i < probe.durations().size(); i++) {
      below += probe.durations().get(i);
      boolean last = i == ProbeStats.BOUNDS.size();
      String bound = last ? "+Inf" : PrometheusText.number(ProbeStats.BOUNDS.get(i));
      duration.add("_bucket", below, null, labels(probe, "le", bound));
    }
    duration.add("_sum", probe.seconds(), null, labels(probe));
    duration.add("_count", succeeded, null, labels(probe));
  }

  /** Returns the labels; the bucket's bound is last, as Go writes it. */
  private static String[] labels(ProbeStats probe, String... bound) {
    List<String> labels =
        new ArrayList<>(
            List.of(
                "container",
                probe.container(),
                "namespace",
                probe.pod().namespace(),
                "pod",
                probe.pod().name(),
                "probe_type",
                probe.kind().word()));
    labels.addAll(List.of(bound));
    return labels.toArray(String[]::new);
  }
}
