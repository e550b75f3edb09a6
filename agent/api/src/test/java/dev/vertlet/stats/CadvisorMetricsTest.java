package dev.vertlet.stats;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Row 2.3-metrics: what {@code /metrics/cadvisor} says. */
@Tag("2.3-metrics")
class CadvisorMetricsTest {
  private static final String MAIN =
      "id=\"/poduid-of-web/main\",image=\"registry.example/main:1\",name=\"abc\",namespace=\"shop\",pod=\"web\"}";
  private static final String SIDE =
      "id=\"/poduid-of-web/side\",image=\"registry.example/side:1\",name=\"\",namespace=\"shop\",pod=\"web\"}";
  private static final String POD_REST = ",name=\"\",namespace=\"shop\",pod=\"web\"}";
  private static final String MACHINE = "{boot_id=\"b\",machine_id=\"m\",system_uuid=\"s\"}";

  private static String main(String name, String more) {
    return name + "{container=\"main\"," + more + MAIN;
  }

  @Test
  void namesAndLabelsAreCadvisors() {
    Exposition read = Exposition.of(CadvisorMetrics.text(Lab.full()));

    assertThat(read.value("machine_cpu_cores" + MACHINE)).isEqualTo(4);
    assertThat(read.value("machine_memory_bytes" + MACHINE)).isEqualTo(8.0 * Lab.GI);
    assertThat(read.value("machine_scrape_error")).isZero();
    assertThat(read.value("container_scrape_error")).isZero();

    String cpu = main("container_cpu_usage_seconds_total", "cpu=\"total\",");
    assertThat(read.value(cpu)).isEqualTo(90.25);
    assertThat(read.time(cpu)).isEqualTo(Lab.NOW.toEpochMilli() - 89);
    assertThat(read.value(main("container_memory_working_set_bytes", "")))
        .isEqualTo(100.0 * Lab.MI);
    assertThat(read.value(main("container_memory_usage_bytes", ""))).isEqualTo(110.0 * Lab.MI);
    assertThat(read.value(main("container_memory_rss", ""))).isEqualTo(90.0 * Lab.MI);
    assertThat(read.value(main("container_start_time_seconds", ""))).isEqualTo(1772600400);
    assertThat(read.value(main("container_fs_usage_bytes", "device=\"\",")))
        .isEqualTo(5.0 * Lab.MI);
    assertThat(read.value(main("container_spec_cpu_period", ""))).isEqualTo(100_000);
    assertThat(read.value(main("container_spec_cpu_quota", ""))).isEqualTo(50_000);
    assertThat(read.value(main("container_spec_cpu_shares", ""))).isEqualTo(256);
    assertThat(read.value(main("container_spec_memory_limit_bytes", ""))).isEqualTo(128.0 * Lab.MI);
    assertThat(read.timed(main("container_spec_cpu_period", ""))).isFalse();
  }

  @Test
  void aContainerWithoutLimitsHasNoQuotaAndTheFewestShares() {
    Exposition read = Exposition.of(CadvisorMetrics.text(Lab.full()));
    String labels = "{container=\"side\"," + SIDE;
    assertThat(read.samples()).doesNotContainKey("container_spec_cpu_quota" + labels);
    assertThat(read.value("container_spec_cpu_shares" + labels)).isEqualTo(2);
    assertThat(read.value("container_spec_memory_limit_bytes" + labels)).isZero();
  }

  @Test
  void podsAndTheNodeAreToldByTheirIds() {
    Exposition read = Exposition.of(CadvisorMetrics.text(Lab.full()));
    String pod = "id=\"/poduid-of-web\",image=\"\"";
    assertThat(
            read.value(
                "container_cpu_usage_seconds_total{container=\"\",cpu=\"total\"," + pod + POD_REST))
        .isEqualTo(90.75);
    assertThat(
            read.value(
                "container_network_transmit_bytes_total{container=\"\","
                    + pod
                    + ",interface=\"eth0\""
                    + POD_REST))
        .isEqualTo(2000);
    String node = "id=\"/\",image=\"\",name=\"\",namespace=\"\",pod=\"\"}";
    assertThat(read.value("container_cpu_usage_seconds_total{container=\"\",cpu=\"total\"," + node))
        .isEqualTo(123.456789);
    assertThat(read.value("container_memory_working_set_bytes{container=\"\"," + node))
        .isEqualTo(2.0 * Lab.GI);
  }

  @Test
  void whatIsNotMeasuredIsLeftOut() {
    Exposition read = Exposition.of(CadvisorMetrics.text(Lab.bare()));
    assertThat(read.types().keySet())
        .containsExactly(
            "container_fs_usage_bytes",
            "container_memory_working_set_bytes",
            "container_scrape_error",
            "container_spec_cpu_period",
            "container_spec_cpu_quota",
            "container_spec_cpu_shares",
            "container_spec_memory_limit_bytes",
            "machine_cpu_cores",
            "machine_memory_bytes",
            "machine_scrape_error");
  }
}
