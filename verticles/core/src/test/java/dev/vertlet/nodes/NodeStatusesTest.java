package dev.vertlet.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.node.NodeConditionView;
import dev.vertlet.model.node.NodeStatusView;
import dev.vertlet.provider.node.NodeProvider.NodeHealth;
import dev.vertlet.provider.node.NodeSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class NodeStatusesTest {
  private static final Map<String, String> CAPACITY =
      Map.of("cpu", "4", "memory", "8Gi", "pods", "110");

  @Test
  void aHealthyNodeShowsWhatAKubeletShows() {
    NodeStatusView status = NodeStatuses.of(spec(CAPACITY), NodeHealth.HEALTHY);
    assertThat(status.conditions())
        .extracting(c -> c.type() + "=" + c.status())
        .containsExactly(
            "MemoryPressure=False",
            "DiskPressure=False",
            "PIDPressure=False",
            "NetworkUnavailable=False",
            "Ready=True");
  }

  @Test
  @Tag("ManualConditionsPreserved")
  void aBackEndsOwnConditionsReplaceOrFollowOursAndReadyStaysLast() {
    NodeConditionView pressure =
        new NodeConditionView("DiskPressure", "True", "Full", "99 %", null, null);
    NodeConditionView own = new NodeConditionView("GpuHealthy", "True", "Cool", "", null, null);
    NodeHealth health = new NodeHealth(true, "", List.of(own, pressure));
    NodeStatusView status = NodeStatuses.of(spec(CAPACITY), health);
    assertThat(status.condition("DiskPressure")).isEqualTo(pressure);
    assertThat(status.conditions())
        .extracting(NodeConditionView::type)
        .containsExactly(
            "MemoryPressure",
            "DiskPressure",
            "PIDPressure",
            "NetworkUnavailable",
            "GpuHealthy",
            "Ready");
  }

  @Test
  void everyReasonForNotReadyIsNamed() {
    NodeHealth sick = new NodeHealth(false, "disk on fire", List.of());
    NodeConditionView ready = NodeStatuses.of(spec(Map.of("cpu", "4")), sick).condition("Ready");
    assertThat(ready)
        .isEqualTo(
            new NodeConditionView(
                "Ready",
                "False",
                "KubeletNotReady",
                "disk on fire, missing node capacity for resources: memory, pods",
                null,
                null));
  }

  private static NodeSpec spec(Map<String, String> capacity) {
    return new NodeSpec(
        "n", Map.of(), Map.of(), List.of(), capacity, capacity, List.of(), Map.of(), "");
  }
}
