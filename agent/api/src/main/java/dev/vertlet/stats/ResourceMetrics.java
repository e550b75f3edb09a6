package dev.vertlet.stats;

import dev.vertlet.model.PodRef;
import dev.vertlet.provider.node.NodeUsage.ContainerUsage;
import dev.vertlet.provider.node.ResourceStats;
import dev.vertlet.stats.PrometheusText.Family;
import dev.vertlet.stats.PrometheusText.Type;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Document at {@code /metrics/resource}, which metrics-server reads.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/metrics/collectors/resource_metrics.go">
 *     resource_metrics.go, kubelet 1.36.3</a>
 */
public final class ResourceMetrics {
  /** Content type of a kubelet's response. */
  public static final String CONTENT_TYPE = PrometheusText.CONTENT_TYPE;

  static final double NANO = 1e9;

  private final PrometheusText text = new PrometheusText();
  private final Measured measured;
  private final Instant at;
  private final Family containerStart =
      gauge(
          "container_start_time_seconds",
          "[STABLE] Start time of the container since unix epoch in seconds");
  private final Family containerCpu =
      counter(
          "container_cpu_usage_seconds_total",
          "[STABLE] Cumulative cpu time consumed by the container in core-seconds");
  private final Family containerMemory =
      gauge(
          "container_memory_working_set_bytes",
          "[STABLE] Current working set of the container in bytes");
  private final Family containerSwap =
      gauge(
          "container_swap_usage_bytes",
          "[ALPHA] Current amount of the container swap usage in bytes. Reported only on"
              + " non-windows systems");
  private final Family containerSwapLimit =
      gauge(
          "container_swap_limit_bytes",
          "[ALPHA] Current amount of the container swap limit in bytes. Reported only on"
              + " non-windows systems");
  private final Family podCpu =
      counter(
          "pod_cpu_usage_seconds_total",
          "[STABLE] Cumulative cpu time consumed by the pod in core-seconds");
  private final Family podMemory =
      gauge("pod_memory_working_set_bytes", "[STABLE] Current working set of the pod in bytes");
  private final Family podSwap =
      gauge(
          "pod_swap_usage_bytes",
          "[ALPHA] Current amount of the pod swap usage in bytes. Reported only on non-windows"
              + " systems");

  private ResourceMetrics(Measured measured) {
    this.measured = measured;
    this.at = measured.at();
  }

  public static String text(Measured measured) {
    ResourceMetrics metrics = new ResourceMetrics(measured);
    metrics.node();
    metrics.measured.measuredPods().forEach(metrics::pod);
    scrapeError(metrics.text, 0);
    return metrics.text.text();
  }

  /** Returns the document of a failed measurement: {@code resource_scrape_error} is 1. */
  public static String failed() {
    PrometheusText text = new PrometheusText();
    scrapeError(text, 1);
    return text.text();
  }

  private static void scrapeError(PrometheusText text, int value) {
    text.family(
            "resource_scrape_error",
            Type.GAUGE,
            "[STABLE] 1 if there was an error while getting container metrics, 0 otherwise")
        .add(value, null);
  }

  private void node() {
    ResourceStats stats = measured.usage().stats();
    cpu(
        counter(
            "node_cpu_usage_seconds_total",
            "[STABLE] Cumulative cpu time consumed by the node in core-seconds"),
        stats.cpu());
    Long workingSet = measured.workingSet();
    if (workingSet != null) {
      gauge("node_memory_working_set_bytes", "[STABLE] Current working set of the node in bytes")
          .add(workingSet, at);
    }
    swap(
        gauge(
            "node_swap_usage_bytes",
            "[ALPHA] Current swap usage of the node in bytes. Reported only on non-windows"
                + " systems"),
        stats.swap());
  }

  private void pod(MeasuredPod pod) {
    PodRef ref = pod.ref();
    for (ContainerUsage container : pod.usage().containers()) {
      container(
          container,
          "container",
          container.name(),
          "namespace",
          ref.namespace(),
          "pod",
          ref.name());
    }
    String[] labels = {"namespace", ref.namespace(), "pod", ref.name()};
    cpu(podCpu, pod.cpu(), labels);
    podMemory.add(pod.workingSet(), at, labels);
    swap(podSwap, pod.usage().stats().swap(), labels);
  }

  private void container(ContainerUsage container, String... labels) {
    ResourceStats stats = container.stats();
    Instant started = stats.startedAt();
    if (started != null && started.getEpochSecond() > 0) {
      containerStart.add(seconds(started), null, labels);
    }
    cpu(containerCpu, stats.cpu(), labels);
    containerMemory.add(container.memory(), at, labels);
    swap(containerSwap, stats.swap(), labels);
    ResourceStats.Swap swap = stats.swap();
    if (swap != null && swap.available() != null) {
      long used = swap.usage() == null ? 0 : swap.usage();
      containerSwapLimit.add(swap.available() + used, at, labels);
    }
  }

  static double seconds(Instant instant) {
    return instant.getEpochSecond() + instant.getNano() / NANO;
  }

  private void cpu(Family family, ResourceStats.@Nullable Cpu cpu, String... labels) {
    if (cpu != null && cpu.coreNanoSeconds() != null) {
      family.add(cpu.coreNanoSeconds() / NANO, at, labels);
    }
  }

  private void swap(Family family, ResourceStats.@Nullable Swap swap, String... labels) {
    if (swap != null && swap.usage() != null) {
      family.add(swap.usage(), at, labels);
    }
  }

  private Family counter(String name, String help) {
    return text.family(name, Type.COUNTER, help);
  }

  private Family gauge(String name, String help) {
    return text.family(name, Type.GAUGE, help);
  }
}
