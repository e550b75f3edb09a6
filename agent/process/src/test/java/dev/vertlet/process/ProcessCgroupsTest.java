package dev.vertlet.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vertlet.host.cgroup.Cgroup;
import dev.vertlet.host.cgroup.Cgroups;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.process.RuntimeLab.Pod;
import dev.vertlet.process.store.StoredContainer;
import dev.vertlet.provider.container.ContainerRecord;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Limits in real control groups, of either version. */
@EnabledOnOs(OS.LINUX)
final class ProcessCgroupsTest {
  private static final String PATH = "/vertlet-test-" + UUID.randomUUID();

  @TempDir
  @SuppressWarnings("NullAway.Init") // set before each test
  Path root;

  @SuppressWarnings("NullAway.Init") // set before each test
  private ContainerCgroups cgroups;

  @SuppressWarnings("NullAway.Init") // set before each test
  private RuntimeLab lab;

  @BeforeEach
  void openLab() throws IOException {
    cgroups = new ContainerCgroups(Cgroups.open(Files.readAllLines(Path.of("/proc/mounts")), PATH));
    lab = new RuntimeLab(root).with("cgroup", PATH).with("podPidsLimit", 12);
    for (String each : List.of("cpu", "memory", "pids")) {
      Assumptions.assumeTrue(cgroups.all().limits(each), "no cgroup can limit " + each + " here");
    }
    lab.restart();
  }

  @AfterEach
  void closeLab() throws IOException {
    lab.close();
    cgroups.sweep(RuntimeLab.NODE);
    cgroups.leave(RuntimeLab.NODE);
  }

  private static Pod limited(Pod pod, Map<String, Object> limits) {
    JsonObject all = new JsonObject(limits);
    return pod.with("resources", new JsonObject().put("limits", all).put("requests", all));
  }

  private List<Cgroup> groups(Pod pod, ContainerRecord container) {
    return cgroups.of(
        RuntimeLab.NODE,
        pod.ref().uid(),
        container.id().substring(StoredContainer.SCHEME.length()));
  }

  private String value(List<Cgroup> groups, String first, String second) throws IOException {
    for (Cgroup group : groups) {
      for (String name : List.of(first, second)) {
        if (Files.exists(group.directory().resolve(name))) {
          return Cgroups.read(group.directory().resolve(name));
        }
      }
    }
    throw new AssertionError("no group has " + first + " or " + second);
  }

  @Test
  void aContainerAboveItsMemoryLimitIsKilledForIt() {
    Pod pod =
        limited(
            lab.pod("a", "sh", "-c", "x=$(head -c 200000000 /dev/zero | tr \"\\\\0\" x)"),
            Map.of("memory", "24Mi"));

    Terminated end = lab.end(lab.run(pod).id());

    assertThat(end.exitCode()).isEqualTo(137);
    assertThat(end.reason()).isEqualTo("OOMKilled");
  }

  @Test
  void aPodHasNoMoreProcessesThanItMay() {
    Pod pod =
        lab.pod("a", "sh", "-c", "i=0; while [ $i -lt 40 ]; do sleep 1000 & i=$((i+1)); done");

    Terminated end = lab.end(lab.run(pod).id());

    assertThat(end.exitCode()).isNotZero();
    Pod other = lab.pod("b", "true");
    assertThat(lab.end(lab.run(other).id()).exitCode()).isZero();
  }

  @Test
  void aRunningContainerIsResized() throws IOException {
    Pod pod = limited(lab.pod("a", "sleep", "1000"), Map.of("cpu", "500m", "memory", "64Mi"));
    ContainerRecord container = lab.run(pod);
    List<Cgroup> groups = groups(pod, container);
    assertThat(value(groups, "memory.max", "memory.limit_in_bytes")).isEqualTo("67108864");
    assertThat(value(groups, "cpu.max", "cpu.cfs_quota_us")).startsWith("50000");

    assertThat(lab.runtime().resizesContainers()).isTrue();
    limited(pod, Map.of("cpu", "1", "memory", "128Mi"));
    ContainerView larger = pod.view().spec().containers().get(0);
    lab.call(() -> lab.runtime().updateResources(pod.view(), larger, container.id()));

    assertThat(value(groups, "memory.max", "memory.limit_in_bytes")).isEqualTo("134217728");
    assertThat(value(groups, "cpu.max", "cpu.cfs_quota_us")).startsWith("100000");
    assertThat(lab.running(container.id())).isTrue();
  }

  @Test
  void groupsGoWithTheirContainersAlsoUnderAnotherAgent() {
    Pod ended = lab.pod("a", "true");
    ContainerRecord first = lab.run(ended);
    assertThat(lab.end(first.id()).exitCode()).isZero();
    await().until(() -> gone(groups(ended, first)));
    Pod running = lab.pod("b", "sleep", "1000");
    ContainerRecord second = lab.run(running);

    lab.restart();

    assertThat(groups(running, second)).allMatch(group -> Files.exists(group.directory()));
    lab.call(() -> lab.runtime().removeSandbox(running.ref()));
    await().until(() -> gone(groups(running, second)));
    lab.call(() -> lab.runtime().stop());
    assertThat(cgroups.all().bases()).noneMatch(base -> Files.exists(base.directory()));
  }

  private static boolean gone(List<Cgroup> groups) {
    return groups.stream().noneMatch(group -> Files.exists(group.parent().directory()));
  }
}
