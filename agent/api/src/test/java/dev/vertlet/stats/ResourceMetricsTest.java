package dev.vertlet.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.provider.node.NodeUsage;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Row 2.3-metrics: what {@code /metrics/resource} says, against a document written by hand. */
@Tag("2.3-metrics")
class ResourceMetricsTest {
  private static final String FULL =
      """
      # HELP container_cpu_usage_seconds_total [STABLE] Cumulative cpu time consumed by the container in core-seconds
      # TYPE container_cpu_usage_seconds_total counter
      container_cpu_usage_seconds_total{container="main",namespace="shop",pod="web"} 90.25 1772600767000
      container_cpu_usage_seconds_total{container="side",namespace="shop",pod="web"} 0.5 1772600767000
      # HELP container_memory_working_set_bytes [STABLE] Current working set of the container in bytes
      # TYPE container_memory_working_set_bytes gauge
      container_memory_working_set_bytes{container="main",namespace="shop",pod="web"} 1.048576e+08 1772600767000
      container_memory_working_set_bytes{container="side",namespace="shop",pod="web"} 2.097152e+07 1772600767000
      # HELP container_start_time_seconds [STABLE] Start time of the container since unix epoch in seconds
      # TYPE container_start_time_seconds gauge
      container_start_time_seconds{container="main",namespace="shop",pod="web"} 1.7726004005e+09
      container_start_time_seconds{container="side",namespace="shop",pod="web"} 1.7726004005e+09
      # HELP container_swap_limit_bytes [ALPHA] Current amount of the container swap limit in bytes. Reported only on non-windows systems
      # TYPE container_swap_limit_bytes gauge
      container_swap_limit_bytes{container="main",namespace="shop",pod="web"} 8.388608e+06 1772600767000
      # HELP container_swap_usage_bytes [ALPHA] Current amount of the container swap usage in bytes. Reported only on non-windows systems
      # TYPE container_swap_usage_bytes gauge
      container_swap_usage_bytes{container="main",namespace="shop",pod="web"} 3.145728e+06 1772600767000
      # HELP node_cpu_usage_seconds_total [STABLE] Cumulative cpu time consumed by the node in core-seconds
      # TYPE node_cpu_usage_seconds_total counter
      node_cpu_usage_seconds_total 123.456789 1772600767000
      # HELP node_memory_working_set_bytes [STABLE] Current working set of the node in bytes
      # TYPE node_memory_working_set_bytes gauge
      node_memory_working_set_bytes 2.147483648e+09 1772600767000
      # HELP node_swap_usage_bytes [ALPHA] Current swap usage of the node in bytes. Reported only on non-windows systems
      # TYPE node_swap_usage_bytes gauge
      node_swap_usage_bytes 0 1772600767000
      # HELP pod_cpu_usage_seconds_total [STABLE] Cumulative cpu time consumed by the pod in core-seconds
      # TYPE pod_cpu_usage_seconds_total counter
      pod_cpu_usage_seconds_total{namespace="shop",pod="web"} 90.75 1772600767000
      # HELP pod_memory_working_set_bytes [STABLE] Current working set of the pod in bytes
      # TYPE pod_memory_working_set_bytes gauge
      pod_memory_working_set_bytes{namespace="shop",pod="web"} 1.2582912e+08 1772600767000
      # HELP pod_swap_usage_bytes [ALPHA] Current amount of the pod swap usage in bytes. Reported only on non-windows systems
      # TYPE pod_swap_usage_bytes gauge
      pod_swap_usage_bytes{namespace="shop",pod="web"} 3.145728e+06 1772600767000
      # HELP resource_scrape_error [STABLE] 1 if there was an error while getting container metrics, 0 otherwise
      # TYPE resource_scrape_error gauge
      resource_scrape_error 0
      """;

  @Test
  void allThatIsMeasuredIsToldUnderTheKubeletsNames() {
    String text = ResourceMetrics.text(Lab.full());
    assertThat(text).isEqualTo(FULL);
    assertThat(Exposition.of(text).types()).hasSize(12);
  }

  @Test
  void whatIsNotMeasuredIsLeftOut() {
    Exposition read = Exposition.of(ResourceMetrics.text(Lab.bare()));
    assertThat(read.samples().keySet())
        .containsExactlyInAnyOrder(
            "container_memory_working_set_bytes{container=\"main\",namespace=\"shop\",pod=\"web\"}",
            "pod_memory_working_set_bytes{namespace=\"shop\",pod=\"web\"}",
            "resource_scrape_error");
    Measured nothing = new Measured(Lab.node(), NodeUsage.NONE, List.of(), Lab.NOW);
    assertThat(Exposition.of(ResourceMetrics.text(nothing)).samples().keySet())
        .containsExactly("resource_scrape_error");
  }

  @Test
  void anErrorIsTold() {
    Exposition read = Exposition.of(ResourceMetrics.failed());
    assertThat(read.samples()).hasSize(1).containsEntry("resource_scrape_error", 1.0);
    assertThat(read.timed("resource_scrape_error")).isFalse();
  }
}
