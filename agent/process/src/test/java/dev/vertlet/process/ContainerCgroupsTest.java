package dev.vertlet.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.host.cgroup.Cgroup;
import dev.vertlet.host.cgroup.Cgroups;
import dev.vertlet.host.cgroup.ContainerLimits;
import dev.vertlet.host.testing.GroupDirectories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Control groups of containers in directories that stand for the kernel's. */
final class ContainerCgroupsTest {
  private static final ContainerLimits LIMITS = new ContainerLimits(1024, 50_000, 1L << 20);

  @TempDir
  @SuppressWarnings("NullAway.Init") // set before each test
  Path root;

  private Path group(String path, String... files) throws IOException {
    return new GroupDirectories(root).group(path, files);
  }

  private ContainerCgroups unified() throws IOException {
    return new ContainerCgroups(
        Cgroups.open(
            new GroupDirectories(root).versionTwo("cpuset cpu io memory hugetlb pids", "/vertlet"),
            "/vertlet"));
  }

  private static String read(Cgroup group, String file) throws IOException {
    return Cgroups.read(group.directory().resolve(file));
  }

  @Test
  void aContainersGroupIsBelowThatOfItsPod() throws IOException {
    ContainerCgroups cgroups = unified();
    List<Cgroup> groups = cgroups.of("node", "uid", "id");
    Path directory = group("u/vertlet/node/uid/id");
    Files.writeString(directory.resolve("memory.current"), "4096\n");

    ContainerCgroups.create(groups, LIMITS, 77);

    assertThat(groups).singleElement().extracting(Cgroup::directory).isEqualTo(directory);
    for (String above : List.of("u/vertlet/node", "u/vertlet/node/uid")) {
      assertThat(root.resolve(above).resolve("cgroup.subtree_control"))
          .hasContent("+cpu +memory +pids");
    }
    assertThat(read(groups.get(0), "memory.max")).isEqualTo("1048576");
    assertThat(read(groups.get(0).parent(), "pids.max")).isEqualTo("77");
  }

  @Test
  void unusedGroupsAreSwept() throws IOException {
    ContainerCgroups cgroups = unified();
    Path unused = group("u/vertlet/node/uid/id");
    Path used = group("u/vertlet/node/other/id", "cgroup.procs"); // not empty: as if in use
    Path foreign = group("u/vertlet/another/uid/id");

    cgroups.sweep("node");

    assertThat(unused.getParent()).doesNotExist();
    assertThat(used).exists();
    assertThat(foreign).exists();
  }

  /** On a hierarchy of the kernel, in a machine whose version 2 has the controllers. */
  @Test
  void theKernelsVersionTwoTakesEveryLimit() throws IOException {
    List<String> mounts =
        Files.readAllLines(Path.of("/proc/mounts")).stream()
            .filter(line -> line.split(" ")[2].equals("cgroup2"))
            .toList();
    Cgroups cgroups = Cgroups.open(mounts, "/vertlet-test-" + UUID.randomUUID());
    Assumptions.assumeTrue(
        List.of("cpu", "memory", "pids").stream().allMatch(cgroups::limits),
        "no version 2 to write: " + cgroups.problem());
    ContainerCgroups containers = new ContainerCgroups(cgroups);
    List<Cgroup> groups = containers.of("node", "uid", "id");

    ContainerCgroups.create(groups, LIMITS, 77);

    try {
      assertThat(read(groups.get(0), "cpu.max")).isEqualTo("50000 100000");
      assertThat(read(groups.get(0), "memory.max")).isEqualTo("1048576");
      assertThat(read(groups.get(0).parent(), "pids.max")).isEqualTo("77");
    } finally {
      containers.sweep("node");
      containers.leave("node");
    }
    assertThat(groups.get(0).directory()).doesNotExist();
  }
}
