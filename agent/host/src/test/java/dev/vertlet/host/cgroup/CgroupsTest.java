package dev.vertlet.host.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.host.testing.GroupDirectories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Control groups in directories that stand for the kernel's. */
final class CgroupsTest {
  private static final ContainerLimits LIMITS = new ContainerLimits(1024, 50_000, 1L << 20);

  @TempDir
  @SuppressWarnings("NullAway.Init") // set before each test
  Path root;

  private Path group(String path, String... files) throws IOException {
    return new GroupDirectories(root).group(path, files);
  }

  private Cgroups unified() throws IOException {
    return Cgroups.open(
        new GroupDirectories(root).versionTwo("cpuset cpu io memory hugetlb pids", "/vertlet"),
        "/vertlet");
  }

  private static String read(Cgroup group, String file) throws IOException {
    return Cgroups.read(group.directory().resolve(file));
  }

  @Test
  void versionTwoHasOneGroupForAll() throws IOException {
    Cgroups cgroups = unified();
    List<Cgroup> groups = cgroups.at("node", "uid", "id");
    Path directory = group("u/vertlet/node/uid/id");
    Files.writeString(directory.resolve("memory.current"), "4096\n");

    Cgroup pod = groups.get(0).parent();
    Cgroups.create(root.resolve("u/vertlet"), pod);
    pod.limitPids(77);
    groups.get(0).limit(LIMITS);

    assertThat(cgroups.version()).isEqualTo("v2");
    assertThat(cgroups.problem()).isEmpty();
    assertThat(groups).singleElement().extracting(Cgroup::directory).isEqualTo(directory);
    for (String above : List.of("u", "u/vertlet", "u/vertlet/node", "u/vertlet/node/uid")) {
      assertThat(root.resolve(above).resolve("cgroup.subtree_control"))
          .hasContent("+cpu +memory +pids");
    }
    assertThat(directory.resolve("cgroup.subtree_control")).doesNotExist();
    assertThat(read(groups.get(0), "cpu.max")).isEqualTo("50000 100000");
    assertThat(read(groups.get(0), "cpu.weight")).isEqualTo("39");
    assertThat(read(groups.get(0), "memory.max")).isEqualTo("1048576");
    assertThat(read(groups.get(0), "memory.oom.group")).isEqualTo("1");
    assertThat(read(pod, "pids.max")).isEqualTo("77");
  }

  @Test
  void aLimitBelowTheUsageIsRefusedByVersionTwoToo() throws IOException {
    Cgroup group = unified().at("node", "uid", "id").get(0);
    Files.writeString(group("u/vertlet/node/uid/id").resolve("memory.current"), "2000000\n");

    assertThatThrownBy(() -> group.limit(LIMITS))
        .hasMessage("the container uses 2000000 bytes of memory, more than the limit of 1048576");
  }

  @Test
  void versionOneHasAGroupForEachHierarchy() throws IOException {
    GroupDirectories directories = new GroupDirectories(root);
    Cgroups cgroups =
        Cgroups.open(
            List.of(
                "tmpfs / tmpfs rw 0 0",
                directories.versionOne("cpu,cpuacct", "/vertlet"),
                directories.versionOne("memory", "/vertlet"),
                "cgroup %s cgroup rw,freezer 0 0".formatted(root.resolve("freezer"))),
            "/vertlet");
    List<Cgroup> groups = cgroups.at("node", "uid", "id");

    for (Cgroup group : groups) {
      Files.createDirectories(group.directory());
      group.limit(LIMITS);
    }

    assertThat(cgroups.version()).isEqualTo("v1");
    assertThat(cgroups.limits("memory")).isTrue();
    assertThat(cgroups.limits("pids")).isFalse();
    assertThat(read(groups.get(0), "cpu.shares")).isEqualTo("1024");
    assertThat(read(groups.get(0), "cpu.cfs_quota_us")).isEqualTo("50000");
    assertThat(read(groups.get(0), "cpu.cfs_period_us")).isEqualTo("100000");
    assertThat(read(groups.get(1), "memory.limit_in_bytes")).isEqualTo("1048576");
  }

  @Test
  void whatCannotBeWrittenIsLeftOutWithItsCause() throws IOException {
    group("cpu/vertlet"); // without cgroup.procs

    Cgroups cgroups =
        Cgroups.open(
            List.of("cgroup %s cgroup rw,cpu 0 0".formatted(root.resolve("cpu"))), "/vertlet");

    assertThat(cgroups.available()).isFalse();
    assertThat(cgroups.at("node", "uid", "id")).isEmpty();
    assertThat(cgroups.problem()).endsWith("/cpu/vertlet is not writable");
    assertThat(Cgroups.open(List.of(), "/vertlet").problem())
        .isEqualTo("no cgroup file system is mounted");
  }

  @Test
  void aVersionTwoWithoutControllersSaysSo() throws IOException {
    Path mount = group("u", "cgroup.subtree_control");
    Files.writeString(mount.resolve("cgroup.controllers"), "hugetlb\n");

    Cgroups cgroups = Cgroups.open(List.of("cgroup2 " + mount + " cgroup2 rw 0 0"), "/vertlet");

    assertThat(cgroups.available()).isFalse();
    assertThat(cgroups.problem()).isEqualTo(mount + " has none of cpu, memory, pids");
  }

  @Test
  void aGroupIsReadAsItWasStored() throws IOException {
    Cgroup group = unified().at("node", "uid", "id").get(0);

    assertThat(Cgroup.of(group.json())).isEqualTo(group);
  }
}
