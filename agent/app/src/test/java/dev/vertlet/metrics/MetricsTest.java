package dev.vertlet.metrics;

import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.server.Scrape;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class MetricsTest {
  @Test
  void theProcessIsMeasured() throws Exception {
    try (Metrics metrics = new Metrics("1.2.3", "abc", "v1.36.3")) {
      Vertx vertx = metrics.instrument(new VertxOptions()).build();
      try {
        get(vertx.executeBlocking(() -> 1));

        assertThat(Scrape.of(metrics.registry()))
            .contains("vertlet_build_info{commit=\"abc\",java=\"" + Runtime.version() + "\"")
            .contains("jvm_memory_used_bytes", "jvm_threads_live_threads", "process_cpu_usage")
            .contains("# TYPE process_cpu_seconds_total counter", "process_open_fds ")
            .contains("process_max_fds ", "process_start_time_seconds ")
            .contains("process_resident_memory_bytes ", "vertlet_memory_limit_bytes ")
            .doesNotContain("process_cpu_time")
            .contains("vertx_pool_completed_total");
      } finally {
        get(vertx.close());
      }
    }
  }

  @Test
  void theProcessIsMeasuredInBaseUnits() {
    try (Metrics metrics = new Metrics("1.2.3", "abc", "v1.36.3")) {
      double memory = value(metrics, "process_resident_memory_bytes");

      assertThat(value(metrics, "process_start_time_seconds"))
          .isEqualTo(ManagementFactory.getRuntimeMXBean().getStartTime() / 1_000.0);
      assertThat(metrics.registry().get("process_cpu_seconds_total").functionCounter().count())
          .isPositive()
          .isLessThan(
              ProcessHandle.current().info().totalCpuDuration().orElseThrow().toSeconds() + 1.0);
      assertThat(memory).isBetween((double) Runtime.getRuntime().totalMemory() / 8, 1e12);
      assertThat(value(metrics, "vertlet_memory_limit_bytes")).isGreaterThan(memory);
      assertThat(value(metrics, "process_open_fds"))
          .isPositive()
          .isLessThanOrEqualTo(value(metrics, "process_max_fds"));
    }
  }

  private static double value(Metrics metrics, String gauge) {
    return metrics.registry().get(gauge).gauge().value();
  }

  @Test
  void anotherRegistryHasNoText() {
    assertThat(Scrape.of(new SimpleMeterRegistry())).isEmpty();
  }
}
