package dev.vertlet.cri.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.host.cgroup.Cgroup;
import dev.vertlet.host.cgroup.ContainerLimits;
import dev.vertlet.model.pod.QosClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Groups of pods in the kernel; skipped where this user cannot make any. */
final class KernelKubepodsTest {
  private final String path = "/vertlet-test-" + UUID.randomUUID();

  @SuppressWarnings("NullAway.Init") // set before each test
  private KubepodsTree tree;

  @BeforeEach
  void open() throws IOException {
    try {
      tree = KubepodsTree.open(Files.readAllLines(Path.of("/proc/mounts")), path);
    } catch (IOException e) {
      Assumptions.abort("no cgroup can be made here: " + e.getMessage());
    }
  }

  @AfterEach
  void leave() {
    tree.leave();
  }

  private List<Path> everywhere(String below) {
    return tree.mounts().stream()
        .map(mount -> mount.resolve(path.substring(1) + below))
        .filter(Files::exists)
        .toList();
  }

  @Test
  void theKernelTakesLimitsAndGivesThemBack() throws IOException {
    ContainerLimits limits = new ContainerLimits(512, 50_000, 64L << 20);
    tree.limit(QosClass.BURSTABLE, "u", limits, 50);
    tree.grow(QosClass.BURSTABLE, "u", new ContainerLimits(1024, -1, 32L << 20));

    for (Cgroup group : tree.limited().at("kubepods", "burstable", "podu")) {
      ContainerLimits has = group.limits();
      if (group.controllers().contains("cpu")) {
        assertThat(has.cpuShares()).isBetween(1000L, 1050L);
        assertThat(has.cpuQuotaMicros()).isEqualTo(-1);
      }
      if (group.controllers().contains("memory")) {
        assertThat(has.memoryBytes()).isEqualTo(64L << 20);
      }
    }
    tree.remove("u");
    assertThat(everywhere("/kubepods/burstable/podu")).isEmpty();
    assertThat(everywhere("/kubepods/burstable")).isNotEmpty();
    tree.leave();
    assertThat(everywhere("")).isEmpty();
  }

  @Test
  void aGroupWithAProcessStaysUntilItEnds() throws Exception {
    tree.limit(QosClass.BEST_EFFORT, "u", new ContainerLimits(2, -1, -1), -1);
    Cgroup pod = tree.limited().at("kubepods", "besteffort", "podu").get(0);
    Path container = Files.createDirectory(pod.directory().resolve("c"));
    Process process = new ProcessBuilder("sleep", "600").start();
    try {
      Files.writeString(container.resolve("cgroup.procs"), Long.toString(process.pid()));
      assertThatThrownBy(() -> tree.remove("u")).isInstanceOf(IOException.class);
    } finally {
      process.destroyForcibly().waitFor();
    }

    tree.remove("u");

    assertThat(everywhere("/kubepods/besteffort/podu")).isEmpty();
  }
}
