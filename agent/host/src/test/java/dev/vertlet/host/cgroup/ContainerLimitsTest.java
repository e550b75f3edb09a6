package dev.vertlet.host.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.container.ResourcesView;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ContainerLimitsTest {
  private static ContainerLimits of(Map<String, String> requests, Map<String, String> limits) {
    return ContainerLimits.of(new ResourcesView(requests, limits));
  }

  @Test
  void withoutResourcesThereAreNoLimits() {
    assertThat(of(Map.of(), Map.of())).isEqualTo(new ContainerLimits(2, -1, -1));
  }

  @Test
  void sharesComeFromTheRequestAndQuotaFromTheLimit() {
    assertThat(of(Map.of("cpu", "250m", "memory", "1Gi"), Map.of("cpu", "1500m", "memory", "2Gi")))
        .isEqualTo(new ContainerLimits(256, 150_000, 2L << 30));
  }

  @Test
  void aLimitAloneIsARequestToo() {
    assertThat(of(Map.of(), Map.of("cpu", "2")).cpuShares()).isEqualTo(2048);
  }

  @Test
  void theKernelsRangesAreKept() {
    assertThat(of(Map.of("cpu", "1m"), Map.of("cpu", "1m")))
        .isEqualTo(new ContainerLimits(2, 1000, -1));
    assertThat(of(Map.of("cpu", "9999"), Map.of()).cpuShares()).isEqualTo(262_144);
    assertThat(new ContainerLimits(2, -1, -1).cpuWeight()).isEqualTo(1);
    assertThat(new ContainerLimits(1024, -1, -1).cpuWeight()).isEqualTo(39);
    assertThat(new ContainerLimits(262_144, -1, -1).cpuWeight()).isEqualTo(10_000);
  }

  @Test
  void limitsOfThePodApplyWhereTheContainerHasNone() {
    ResourcesView resources =
        new ResourcesView(Map.of(), Map.of("cpu", "1"), Map.of("cpu", "2", "memory", "1Gi"));

    assertThat(ContainerLimits.of(resources))
        .isEqualTo(new ContainerLimits(1024, 100_000, 1L << 30));
  }
}
