package dev.vertlet.cri.container;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.cri.wire.CommonMessages.LinuxContainerResources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MemoryControlsTest {
  @TempDir
  @SuppressWarnings("NullAway.Init") // set before each test
  Path root;

  private static LinuxContainerResources limit(
      long memory, Map<String, String> unified, long memoryAndSwap) {
    return new LinuxContainerResources(
        1, 2, 3, memory, 4, "", "", List.of(), unified, memoryAndSwap);
  }

  private MemoryControls read(String own) throws IOException {
    return MemoryControls.of(root, Files.writeString(root.resolve("own"), own));
  }

  private void file(String name) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "");
  }

  @Test
  void versionOneLimitsMemoryAndSwapToTheLimitOfMemoryWhereItCountsSwap() throws IOException {
    assertThat(read("").addTo(limit(64, Map.of(), 0))).isEqualTo(limit(64, Map.of(), 0));

    file("memory/memory.memsw.limit_in_bytes");

    assertThat(read("").addTo(limit(64, Map.of(), 0))).isEqualTo(limit(64, Map.of(), 64));
    assertThat(read("").addTo(limit(0, Map.of(), 0))).isEqualTo(limit(0, Map.of(), 0));
  }

  @Test
  void versionTwoAllowsNoSwapWhereItCountsItAndEndsAllProcessesTogether() throws IOException {
    file("cgroup.controllers");
    String own = "0::/system.slice/agent.service\n";
    assertThat(read(own).addTo(limit(64, Map.of(), 0)))
        .isEqualTo(limit(64, Map.of("memory.oom.group", "1"), 0));

    file("system.slice/agent.service/memory.swap.max");

    assertThat(read(own).addTo(limit(64, Map.of(), 0)))
        .isEqualTo(limit(64, Map.of("memory.oom.group", "1", "memory.swap.max", "0"), 0));
  }
}
