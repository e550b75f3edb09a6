package dev.vertlet.host.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.provider.node.ResourceStats;
import java.io.IOException;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
final class HostStatsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @Test
  void measuresTheHost() throws IOException {
    HostStats.Measured measured = new HostStats().read(NOW);

    assertThat(Objects.requireNonNull(measured.memory()))
        .matches(memory -> memory.available() > 0 && memory.available() <= memory.capacity());
    ResourceStats.Memory memory = Objects.requireNonNull(measured.stats().memory());
    assertThat(memory.usage()).isNotNull().isPositive();
    assertThat(memory.pageFaults()).isNotNull().isPositive();
    assertThat(measured.stats().startedAt()).isNotNull();
    assertThat(measured.stats().network()).isNotNull();
  }

  @Test
  void currentCpuNeedsTwoMeasurements() throws IOException {
    HostStats stats = new HostStats();

    ResourceStats.Cpu first = Objects.requireNonNull(stats.read(NOW).stats().cpu());
    ResourceStats.Cpu second =
        Objects.requireNonNull(stats.read(NOW.plusSeconds(10)).stats().cpu());

    assertThat(first.nanoCores()).isNull();
    assertThat(second.nanoCores()).isNotNull().isNotNegative();
    assertThat(second.coreNanoSeconds())
        .isGreaterThanOrEqualTo(Objects.requireNonNull(first.coreNanoSeconds()));
  }

  @Test
  void theMachinesCapacityIsItsNodes() {
    assertThat(Machine.capacity())
        .containsEntry("cpu", String.valueOf(Runtime.getRuntime().availableProcessors()))
        .containsEntry("pods", "110")
        .containsKeys("memory", "ephemeral-storage");
    assertThat(Machine.info()).containsKey("bootID");
  }
}
