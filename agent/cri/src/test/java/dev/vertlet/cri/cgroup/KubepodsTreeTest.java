package dev.vertlet.cri.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.host.cgroup.ContainerLimits;
import dev.vertlet.host.testing.GroupDirectories;
import dev.vertlet.model.pod.QosClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Groups of pods in directories that stand for the kernel's. */
final class KubepodsTreeTest {
  private static final ContainerLimits ONE_CORE = new ContainerLimits(1024, 100_000, 64L << 20);

  @TempDir
  @SuppressWarnings("NullAway.Init") // set before each test
  Path root;

  private KubepodsTree one() throws IOException {
    GroupDirectories directories = new GroupDirectories(root);
    return KubepodsTree.open(
        List.of(
            "tmpfs / tmpfs rw 0 0",
            directories.versionOne("cpu,cpuacct", "/v"),
            directories.versionOne("memory", "/v"),
            directories.versionOne("pids", "/v"),
            directories.versionOne("freezer", "/v")),
        "/v");
  }

  private KubepodsTree two() throws IOException {
    return KubepodsTree.open(
        new GroupDirectories(root).versionTwo("cpuset cpu io memory hugetlb pids", "/v"), "/v");
  }

  private String read(String file) throws IOException {
    return Files.readString(root.resolve(file));
  }

  /** What the kernel shows of a group with other controllers or a limit of its own. */
  private void write(String file, String text) throws IOException {
    Files.createDirectories(Objects.requireNonNull(root.resolve(file).getParent()));
    Files.writeString(root.resolve(file), text);
  }

  @Test
  void groupsAreNamedAsByAKubelet() throws IOException {
    KubepodsTree tree = one();

    assertThat(tree.path(QosClass.GUARANTEED, "a-b")).isEqualTo("/v/kubepods/poda-b");
    assertThat(tree.path(QosClass.BURSTABLE, "u")).isEqualTo("/v/kubepods/burstable/podu");
    assertThat(tree.path(QosClass.BEST_EFFORT, "u")).isEqualTo("/v/kubepods/besteffort/podu");
  }

  @Test
  void versionOneLimitsAPodInEachHierarchy() throws IOException {
    KubepodsTree tree = one();

    tree.limit(QosClass.GUARANTEED, "u", ONE_CORE, 99);

    assertThat(read("cpu/v/kubepods/podu/cpu.shares")).isEqualTo("1024");
    assertThat(read("cpu/v/kubepods/podu/cpu.cfs_quota_us")).isEqualTo("100000");
    assertThat(read("memory/v/kubepods/podu/memory.limit_in_bytes")).isEqualTo("67108864");
    assertThat(read("pids/v/kubepods/podu/pids.max")).isEqualTo("99");
    assertThat(read("cpu/v/kubepods/besteffort/cpu.shares")).isEqualTo("2");
  }

  @Test
  void versionTwoKillsSingleContainersOfAPod() throws IOException {
    KubepodsTree tree = two();
    write("u/v/kubepods/podu/memory.current", "4096\n");

    tree.limit(QosClass.GUARANTEED, "u", ONE_CORE, -1);

    assertThat(read("u/v/kubepods/podu/cpu.max")).isEqualTo("100000 100000");
    assertThat(read("u/v/kubepods/podu/cpu.weight")).isEqualTo("39");
    assertThat(read("u/v/kubepods/podu/memory.max")).isEqualTo("67108864");
    assertThat(read("u/v/kubepods/podu/pids.max")).isEqualTo("max");
    assertThat(root.resolve("u/v/kubepods/podu/memory.oom.group")).doesNotExist();
    for (String above : List.of("u/v", "u/v/kubepods", "u/v/kubepods/podu")) {
      assertThat(read(above + "/cgroup.subtree_control")).isEqualTo("+cpu +memory +pids");
    }
  }

  @Test
  void burstablePodsTogetherWeighWhatTheyRequest() throws IOException {
    KubepodsTree tree = one();
    assertThat(read("cpu/v/kubepods/burstable/cpu.shares")).isEqualTo("2");

    tree.limit(QosClass.BURSTABLE, "a", new ContainerLimits(512, -1, -1), -1);
    tree.limit(QosClass.BURSTABLE, "b", new ContainerLimits(2048, -1, -1), -1);
    assertThat(read("cpu/v/kubepods/burstable/cpu.shares")).isEqualTo("2560");

    tree.limit(QosClass.BURSTABLE, "b", new ContainerLimits(262_144, -1, -1), -1);
    assertThat(read("cpu/v/kubepods/burstable/cpu.shares")).isEqualTo("262144");
  }

  @Test
  void versionTwoKeepsTheSumOfWeights() throws IOException {
    KubepodsTree tree = two();
    for (String uid : List.of("a", "b")) {
      write("u/v/kubepods/burstable/pod" + uid + "/memory.current", "0\n");
      tree.limit(QosClass.BURSTABLE, uid, new ContainerLimits(1024, -1, -1), -1);
    }

    assertThat(read("u/v/kubepods/burstable/cpu.weight")).isEqualTo("77");
  }

  @Test
  void aPodGrowsBeforeItsContainersAndShrinksAfterThem() throws IOException {
    KubepodsTree tree = one();
    tree.limit(QosClass.GUARANTEED, "u", ONE_CORE, -1);

    tree.grow(QosClass.GUARANTEED, "u", new ContainerLimits(512, 200_000, 32L << 20));

    assertThat(read("cpu/v/kubepods/podu/cpu.shares")).isEqualTo("1024");
    assertThat(read("cpu/v/kubepods/podu/cpu.cfs_quota_us")).isEqualTo("200000");
    assertThat(read("memory/v/kubepods/podu/memory.limit_in_bytes")).isEqualTo("67108864");

    tree.grow(QosClass.GUARANTEED, "u", new ContainerLimits(512, -1, -1));
    assertThat(read("cpu/v/kubepods/podu/cpu.cfs_quota_us")).isEqualTo("-1");
    assertThat(read("memory/v/kubepods/podu/memory.limit_in_bytes")).isEqualTo("-1");
  }

  @Test
  void aLimitOfTheKernelThatIsNoneStaysNone() throws IOException {
    KubepodsTree tree = one();
    tree.limit(QosClass.GUARANTEED, "u", ONE_CORE, -1);
    write("memory/v/kubepods/podu/memory.limit_in_bytes", "9223372036854771712\n");

    tree.grow(QosClass.GUARANTEED, "u", ONE_CORE);

    assertThat(read("memory/v/kubepods/podu/memory.limit_in_bytes")).isEqualTo("-1");
  }

  @Test
  void aPodIsRemovedFromHierarchiesThatOnlyTheRuntimeUses() throws IOException {
    KubepodsTree tree = one();
    Path container = Files.createDirectories(root.resolve("freezer/v/kubepods/besteffort/podu/c"));
    Path other = Files.createDirectories(root.resolve("freezer/v/kubepods/podo/c"));
    Path plain = Files.createDirectories(root.resolve("memory/v/kubepods/podu/c/nested"));

    tree.remove("u");

    assertThat(container.getParent()).doesNotExist();
    assertThat(root.resolve("memory/v/kubepods/podu")).doesNotExist();
    assertThat(plain).doesNotExist();
    assertThat(other).exists();
  }

  @Test
  void podsAreFoundByTheirGroupsInAnyHierarchy() throws IOException {
    KubepodsTree tree = one();
    tree.limit(QosClass.GUARANTEED, "a", ONE_CORE, -1);
    tree.limit(QosClass.BURSTABLE, "b", ONE_CORE, -1);
    // the runtime's own, where the agent sets no limits
    Files.createDirectories(root.resolve("freezer/v/kubepods/besteffort/podc/container"));
    Files.createDirectories(root.resolve("freezer/v/podd"));

    assertThat(tree.uids()).containsExactlyInAnyOrder("a", "b", "c");
  }

  @Test
  void aGroupInUseStaysAndFails() throws IOException {
    KubepodsTree tree = one();
    Path used = Files.createDirectories(root.resolve("cpu/v/kubepods/podu/c"));
    Files.createFile(used.resolve("file")); // as the kernel refuses a group with processes

    assertThatThrownBy(() -> tree.remove("u")).isInstanceOf(IOException.class);
    assertThat(used).exists();
  }

  @Test
  void withoutAHierarchyThereAreNoGroups() {
    assertThatThrownBy(() -> KubepodsTree.open(List.of("tmpfs / tmpfs rw 0 0"), "/v"))
        .hasMessage("no control group /v can be used: no cgroup file system is mounted");
  }
}
