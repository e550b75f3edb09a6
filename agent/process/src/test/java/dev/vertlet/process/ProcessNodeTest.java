package dev.vertlet.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.host.cgroup.Cgroup;
import dev.vertlet.host.cgroup.Cgroups;
import dev.vertlet.host.node.HostNode;
import dev.vertlet.model.node.NodeConditionView;
import dev.vertlet.process.shim.MountMode;
import dev.vertlet.provider.node.NodeSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ProcessNodeTest {
  private static final Map<String, String> INFO = Map.of("bootID", "b", "architecture", "arm64");

  private static Cgroups cgroups(List<String> controllers, String problem) {
    return new Cgroups(List.of(new Cgroup(Path.of("/c"), false, controllers)), problem);
  }

  private static NodeSpec configured() {
    return new NodeSpec(
        "n",
        Map.of("kubernetes.io/arch", "amd64"),
        Map.of("a", "1"),
        List.of(),
        Map.of("cpu", "4"),
        Map.of("cpu", "4"),
        List.of(),
        Map.of("containerRuntimeVersion", "vertlet://1.2", "bootID", "made up"),
        "");
  }

  @Test
  void aNodeSaysWhatItIsAndWhatHoldsItsContainers() {
    Cgroups all = cgroups(List.of("cpu", "memory", "pids"), "");

    NodeSpec node =
        new ProcessNode(new HostNode(INFO), all, null)
            .with(new MountMode("namespace", ""))
            .over(configured());

    assertThat(node.annotations())
        .containsOnly(
            Map.entry("a", "1"),
            Map.entry("vertlet.dev/process-limits", "cgroup v1"),
            Map.entry("vertlet.dev/process-mounts", "namespace"));
    assertThat(node.nodeInfo())
        .containsOnly(
            Map.entry("containerRuntimeVersion", "process://1.2"),
            Map.entry("bootID", "b"),
            Map.entry("architecture", "arm64"));
    assertThat(node.labels()).isEqualTo(Map.of("kubernetes.io/arch", "arm64"));
    assertThat(node.capacity()).isEqualTo(configured().capacity());
  }

  @Test
  void theConditionIsTrueWhereCgroupsLimitEverything() {
    NodeConditionView condition =
        new ProcessNode(new HostNode(INFO), cgroups(List.of("cpu", "memory", "pids"), ""), null)
            .condition();

    assertThat(condition.status()).isEqualTo("True");
    assertThat(condition.message())
        .isEqualTo("CPU, memory and processes of containers are limited by cgroup v1");
  }

  @Test
  void theConditionSaysWhatIsNotLimitedAndWhy() {
    NodeConditionView none = new ProcessNode(new HostNode(INFO), Cgroups.OFF, null).condition();
    NodeConditionView some =
        new ProcessNode(
                new HostNode(INFO),
                cgroups(List.of("memory", "pids"), "/c/cpu: permission denied"),
                null)
            .condition();

    assertThat(none.status()).isEqualTo("False");
    assertThat(none.reason()).isEqualTo("NoCgroups");
    assertThat(none.message())
        .isEqualTo(
            "not limited by cgroups: cpu, memory, pids; a memory limit holds for each process"
                + " alone (RLIMIT_DATA) (they are turned off)");
    assertThat(some.reason()).isEqualTo("CgroupsIncomplete");
    assertThat(some.message()).isEqualTo("not limited by cgroups: cpu (/c/cpu: permission denied)");
  }
}
