package dev.vertlet.metrics;

import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import org.junit.jupiter.api.Test;

class MetricsTest {
  @Test
  void theProcessIsMeasured() throws Exception {
    try (Metrics metrics = new Metrics("1.2.3", "abc", "v1.36.3")) {
      Vertx vertx = metrics.instrument(new VertxOptions()).build();
      try {
        get(vertx.executeBlocking(() -> 1));

        assertThat(Metrics.scrape(metrics.registry()))
            .contains("vertlet_build_info{commit=\"abc\",java=\"" + Runtime.version() + "\"")
            .contains("jvm_memory_used_bytes", "jvm_threads_live_threads", "process_cpu_usage")
            .contains("process_files_open_files", "process_uptime_seconds")
            .contains("vertx_pool_completed_total");
      } finally {
        get(vertx.close());
      }
    }
  }

  @Test
  void anotherRegistryHasNoText() {
    assertThat(Metrics.scrape(new SimpleMeterRegistry())).isEmpty();
  }
}
