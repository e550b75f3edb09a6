package dev.vertlet.host.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.provider.node.NodeSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class HostNodeTest {
  private static final HostNode HOST = new HostNode(Map.of("bootID", "b", "architecture", "arm64"));

  private static NodeSpec configured(Map<String, String> labels) {
    return new NodeSpec(
        "n",
        labels,
        Map.of("a", "1"),
        List.of(),
        Map.of("cpu", "4"),
        Map.of("cpu", "3"),
        List.of(),
        Map.of("kernelVersion", "6.1", "bootID", "made up"),
        "10.0.0.0/24");
  }

  @Test
  void whatTheMachineSaysReplacesWhatIsConfigured() {
    NodeSpec spec = configured(Map.of("kubernetes.io/arch", "amd64", "other", "1"));

    NodeSpec node = HOST.over(spec);

    assertThat(node.nodeInfo())
        .containsOnly(
            Map.entry("kernelVersion", "6.1"),
            Map.entry("bootID", "b"),
            Map.entry("architecture", "arm64"));
    assertThat(node.labels()).isEqualTo(Map.of("kubernetes.io/arch", "arm64", "other", "1"));
    assertThat(node.capacity()).isEqualTo(spec.capacity());
    assertThat(node.allocatable()).isEqualTo(spec.allocatable());
    assertThat(node.annotations()).isEqualTo(spec.annotations());
    assertThat(node.podCidr()).isEqualTo(spec.podCidr());
  }

  @Test
  void aNodeWithoutAnArchitectureLabelGetsNone() {
    assertThat(HOST.over(configured(Map.of())).labels()).isEmpty();
  }
}
