package dev.vertlet.stats;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.resource.Quantities;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.provider.node.NodeUsage.ContainerUsage;
import dev.vertlet.provider.node.ResourceStats;
import dev.vertlet.stats.PrometheusText.Family;
import dev.vertlet.stats.PrometheusText.Type;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Document at {@code /metrics/cadvisor}: those of cAdvisor's metrics that dashboards and alerts use
 * and that a provider can measure. There are no cgroups: the label {@code id} is {@code /} for the
 * node, {@code /pod<uid>} for a pod and {@code /pod<uid>/<container>} for a container, so that
 * queries can still distinguish them by it.
 *
 * @see <a
 *     href="https://github.com/google/cadvisor/blob/v0.56.2/docs/storage/prometheus.md">cAdvisor's
 *     metrics</a>
 */
public final class CadvisorMetrics {
  /** Content type of a kubelet's response. */
  public static final String CONTENT_TYPE = PrometheusText.CONTENT_TYPE;

  /** Microseconds: the kernel's default CPU quota period, which kubelets do not change. */
  private static final long CPU_PERIOD = 100_000;

  /** CPU shares of one core; {@link #MIN_SHARES} is the minimum for a container. */
  private static final long SHARES = 1024;

  private static final long MIN_SHARES = 2;
  private static final long MILLI = 1000;

  private final PrometheusText text = new PrometheusText();
  private final Measured measured;
  private final Instant at;

  private CadvisorMetrics(Measured measured) {
    this.measured = measured;
    this.at = measured.at();
  }

  public static String text(Measured measured) {
    CadvisorMetrics metrics = new CadvisorMetrics(measured);
    metrics.machine();
    metrics.node();
    metrics.measured.measuredPods().forEach(metrics::pod);
    return metrics.text.text();
  }

  private void machine() {
    Map<String, String> info = measured.node().nodeInfo();
    String[] labels = {
      "boot_id", info.getOrDefault("bootID", ""),
      "machine_id", info.getOrDefault("machineID", ""),
      "system_uuid", info.getOrDefault("systemUUID", "")
    };
    String cores = measured.node().capacity().get("cpu");
    if (cores != null) {
      gauge("machine_cpu_cores", "Number of logical CPU cores.")
          .add(Quantities.milli(cores) / (double) MILLI, at, labels);
    }
    String memory = measured.node().capacity().get("memory");
    if (memory != null) {
      gauge("machine_memory_bytes", "Amount of memory installed on the machine.")
          .add(Quantities.units(memory), at, labels);
    }
    gauge(
            "machine_scrape_error",
            "1 if there was an error while getting machine metrics, 0 otherwise.")
        .add(0, null);
    gauge(
            "container_scrape_error",
            "1 if there was an error while getting container metrics, 0 otherwise")
        .add(0, null);
  }

  private void node() {
    Long workingSet = measured.workingSet();
    stats(measured.usage().stats(), workingSet, labels("", "/", "", "", "", ""));
  }

  private void pod(MeasuredPod pod) {
    PodView view = pod.pod();
    String id = "/pod" + pod.ref().uid();
    for (ContainerUsage container : pod.usage().containers()) {
      container(pod, container, id + "/" + container.name());
    }
    ResourceStats own = pod.usage().stats();
    ResourceStats whole =
        new ResourceStats(own.startedAt(), pod.cpu(), own.memory(), own.swap(), own.network());
    stats(whole, pod.workingSet(), labels("", id, "", "", view.namespace(), view.name()));
  }

  private void container(MeasuredPod pod, ContainerUsage usage, String id) {
    PodView view = pod.pod();
    ContainerView container = view.spec().container(usage.name());
    String[] labels =
        labels(
            usage.name(),
            id,
            container == null ? "" : container.image(),
            containerId(view.status(), usage.name()),
            view.namespace(),
            view.name());
    stats(usage.stats(), usage.memory(), labels);
    gauge(
            "container_fs_usage_bytes",
            "Number of bytes that are consumed by the container on this filesystem.")
        .add(usage.rootFs().bytes(), at, with(labels, 1, "device", ""));
    if (container != null) {
      spec(container, labels);
    }
  }

  private void spec(ContainerView container, String... labels) {
    Map<String, String> limits = container.resources().limits();
    Map<String, String> requests = container.resources().requests();
    gauge("container_spec_cpu_period", "CPU period of the container.")
        .add(CPU_PERIOD, null, labels);
    long quota = milli(limits.get("cpu")) * CPU_PERIOD / MILLI;
    if (quota > 0) {
      gauge("container_spec_cpu_quota", "CPU quota of the container.").add(quota, null, labels);
    }
    long shares = Math.max(MIN_SHARES, milli(requests.get("cpu")) * SHARES / MILLI);
    gauge("container_spec_cpu_shares", "CPU share of the container.").add(shares, null, labels);
    String memory = limits.get("memory");
    gauge("container_spec_memory_limit_bytes", "Memory limit for the container.")
        .add(memory == null ? 0 : Quantities.units(memory), null, labels);
  }

  private static long milli(@Nullable String quantity) {
    return quantity == null ? 0 : Quantities.milli(quantity);
  }

  private void stats(ResourceStats stats, @Nullable Long workingSet, String... labels) {
    Instant started = stats.startedAt();
    if (started != null) {
      gauge(
              "container_start_time_seconds",
              "Start time of the container since unix epoch in seconds.")
          .add(started.getEpochSecond(), null, labels);
    }
    ResourceStats.Cpu cpu = stats.cpu();
    if (cpu != null && cpu.coreNanoSeconds() != null) {
      counter("container_cpu_usage_seconds_total", "Cumulative cpu time consumed in seconds.")
          .add(cpu.coreNanoSeconds() / ResourceMetrics.NANO, at, with(labels, 1, "cpu", "total"));
    }
    gauge(
        "container_memory_working_set_bytes", "Current working set in bytes.", workingSet, labels);
    ResourceStats.Memory memory = stats.memory();
    if (memory != null) {
      gauge(
          "container_memory_usage_bytes",
          "Current memory usage in bytes, including all memory regardless of when it was accessed",
          memory.usage(),
          labels);
      gauge("container_memory_rss", "Size of RSS in bytes.", memory.rss(), labels);
    }
    ResourceStats.Network network = stats.network();
    if (network != null) {
      network.interfaces().forEach(link -> link(link, labels));
    }
  }

  private void link(ResourceStats.Interface link, String... labels) {
    // labels stay sorted by name: id, image, interface
    String[] own = with(labels, 3, "interface", link.name());
    counter(
        "container_network_receive_bytes_total",
        "Cumulative count of bytes received",
        link.rxBytes(),
        own);
    counter(
        "container_network_receive_errors_total",
        "Cumulative count of errors encountered while receiving",
        link.rxErrors(),
        own);
    counter(
        "container_network_transmit_bytes_total",
        "Cumulative count of bytes transmitted",
        link.txBytes(),
        own);
    counter(
        "container_network_transmit_errors_total",
        "Cumulative count of errors encountered while transmitting",
        link.txErrors(),
        own);
  }

  /** Returns the container's ID without its scheme, as in cAdvisor. */
  private static String containerId(PodStatusView status, String container) {
    return Stream.of(
            status.containerStatuses(),
            status.initContainerStatuses(),
            status.ephemeralContainerStatuses())
        .flatMap(List::stream)
        .filter(one -> one.name().equals(container))
        .map(ContainerStatusView::containerId)
        .filter(id -> id != null)
        .map(id -> id.substring(id.indexOf("://") < 0 ? 0 : id.indexOf("://") + 3))
        .findFirst()
        .orElse("");
  }

  private static String[] labels(
      String container, String id, String image, String name, String namespace, String pod) {
    return new String[] {
      "container",
      container,
      "id",
      id,
      "image",
      image,
      "name",
      name,
      "namespace",
      namespace,
      "pod",
      pod
    };
  }

  private static String[] with(String[] labels, int place, String name, String value) {
    List<String> all = new ArrayList<>(List.of(labels));
    all.addAll(2 * place, List.of(name, value));
    return all.toArray(String[]::new);
  }

  private void gauge(String name, String help, @Nullable Long value, String... labels) {
    if (value != null) {
      gauge(name, help).add(value, at, labels);
    }
  }

  private void counter(String name, String help, @Nullable Long value, String... labels) {
    if (value != null) {
      counter(name, help).add(value, at, labels);
    }
  }

  private Family counter(String name, String help) {
    return text.family(name, Type.COUNTER, help);
  }

  private Family gauge(String name, String help) {
    return text.family(name, Type.GAUGE, help);
  }
}
