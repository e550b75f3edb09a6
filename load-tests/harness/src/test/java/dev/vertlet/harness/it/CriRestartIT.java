package dev.vertlet.harness.it;

import static dev.vertlet.harness.it.TestPods.spec;
import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Containers that run on while their agent or their runtime is away. */
@ClusterTest(controllers = true)
@Needs(Tool.CONTAINERS)
@Tag("containers")
class CriRestartIT {
  private static final String NODE = "cri-again";
  private static final String COUNTING = "i=0; while :; do i=$((i+1)); echo $i; sleep 0.1; done";

  @TempDir private Path folder;

  private final ContainerLab lab = new ContainerLab();

  private AgentProcess.Setup setup(TestCluster cluster) throws Exception {
    cluster.grant(Manifests.SECRETS);
    cluster.grant(Manifests.CONTENT);
    return serving(cluster, NODE);
  }

  private AgentProcess.Setup serving(TestCluster cluster, String node) throws Exception {
    Path config =
        Files.writeString(
            folder.resolve("vertlet.json"),
            lab.config(node, folder.resolve("data")).encodePrettily());
    return AgentProcess.Setup.of(folder, config, cluster.agentKubeconfig());
  }

  @AfterEach
  void removeAll(TestCluster cluster) {
    ContainerLab.removeAll(cluster);
  }

  private static void create(TestCluster cluster, String name, String script) {
    create(cluster, NODE, name, script);
  }

  private static void create(TestCluster cluster, String node, String name, String script) {
    cluster.create(
        name,
        node,
        spec(
            "{restartPolicy: Never, terminationGracePeriodSeconds: 1, containers: [{name: main,"
                + " image: '"
                + ContainerLab.BUSYBOX
                + "', command: [sh, -c, '"
                + script
                + "']}]}"));
    cluster.kubectl("wait", "--for=condition=Ready", "pod/" + name, KubectlRuns.LIMIT);
  }

  private static ContainerStatus status(TestCluster cluster, String pod) {
    return TestPods.firstContainer(cluster.pods().get(pod));
  }

  /** All numbers from 1 on, each once. */
  private static void countedWithoutGap(TestCluster cluster, String pod) {
    List<String> lines = cluster.kubectl("logs", pod).lines().toList();
    assertThat(lines)
        .hasSizeGreaterThan(10)
        .isEqualTo(IntStream.rangeClosed(1, lines.size()).mapToObj(String::valueOf).toList());
  }

  @Test
  @Tag("X06")
  void aKilledAgentFindsItsContainersAsTheyAre(TestCluster cluster) throws Exception {
    AgentProcess.Setup setup = setup(cluster);
    AgentProcess agent = cluster.agent(setup);
    create(cluster, "counting", COUNTING);
    create(cluster, "ending", "until test -e /tmp/end; do sleep 0.1; done; exit 5");
    String container = status(cluster, "counting").getContainerID();
    cluster.kubectl(
        "exec", "ending", "--", "sh", "-c", "(sleep 2; touch /tmp/end) > /dev/null 2>&1 &");
    Map<String, String> before = cluster.pods().versions();

    agent.kill();
    lab.awaitEnd(status(cluster, "ending").getContainerID());
    var unused = cluster.agent(setup);

    eventually(
        () ->
            assertThat(status(cluster, "ending").getState().getTerminated())
                .isNotNull()
                .extracting("exitCode")
                .isEqualTo(5));
    assertThat(status(cluster, "counting").getContainerID()).isEqualTo(container);
    assertThat(cluster.pods().versions()).containsEntry("counting", before.get("counting"));
    countedWithoutGap(cluster, "counting");
  }

  @Test
  @Tag("X06")
  @Tag("X08")
  void aRuntimeThatIsAwayMakesTheNodeNotReadyAndEndsNothing(TestCluster cluster) throws Exception {
    var unused = cluster.agent(setup(cluster));
    create(cluster, "counting", COUNTING);
    ContainerStatus before = status(cluster, "counting");

    lab.killRuntime();
    try {
      String message = "{.status.conditions[?(@.type==\"Ready\")].message}";
      eventually(
          () ->
              assertThat(cluster.field("node", NODE, message))
                  .contains("container runtime is down"));
    } finally {
      lab.startRuntime();
    }

    eventually(() -> assertThat(cluster.isReady(NODE)).isTrue());
    assertThat(status(cluster, "counting").getContainerID()).isEqualTo(before.getContainerID());
    assertThat(status(cluster, "counting").getRestartCount()).isZero();
    create(cluster, "later", "echo one; exec sleep 1000");
    countedWithoutGap(cluster, "counting");
  }

  @Test
  @Tag("X05")
  @Tag("X06")
  void whatAKilledAgentHasLeftIsRemovedByTheNext(TestCluster cluster) throws Exception {
    AgentProcess.Setup setup = setup(cluster);
    var before = lab.traces();
    AgentProcess agent = cluster.agent(setup);
    create(cluster, "deleted", COUNTING);
    create(cluster, "kept", COUNTING);
    String kept = status(cluster, "kept").getContainerID();
    agent.kill();
    cluster.kubectl("delete", "pod", "deleted", "--force", "--grace-period=0");
    lab.leaveGroups("of-no-pod");
    Path log =
        Files.createDirectories(folder.resolve("data/logs/default_gone_of-no-pod"))
            .resolve("0.log");
    Files.writeString(log, "line");

    var unused = cluster.agent(setup);

    eventually(() -> assertThat(lab.traces()).noneMatch(trace -> trace.contains("of-no-pod")));
    eventually(() -> assertThat(log.getParent()).doesNotExist());
    eventually(() -> assertThat(folder.resolve("data/pods").toFile().list()).hasSize(1));
    eventually(() -> assertThat(folder.resolve("data/logs").toFile().list()).hasSize(1));
    assertThat(status(cluster, "kept").getContainerID()).isEqualTo(kept);
    cluster.kubectl("delete", "pod", "kept", "--wait=true");
    eventually(() -> assertThat(before).containsAll(lab.traces()));
  }

  @Test
  @Tag("X05")
  void podsOfANodeThatIsNoLongerConfiguredAreRemoved(TestCluster cluster) throws Exception {
    cluster.grant(Manifests.SECRETS);
    cluster.grant(Manifests.CONTENT);
    var before = lab.traces();
    AgentProcess agent = cluster.agent(serving(cluster, "cri-former"));
    create(cluster, "cri-former", "left", COUNTING);
    assertThat(lab.traces()).hasSizeGreaterThan(before.size());
    agent.kill();

    var unused = cluster.agent(serving(cluster, NODE));

    eventually(() -> assertThat(before).containsAll(lab.traces()));
    eventually(() -> assertThat(folder.resolve("data/pods")).isEmptyDirectory());
    eventually(() -> assertThat(folder.resolve("data/logs")).isEmptyDirectory());
    create(cluster, "later", COUNTING);
    eventually(() -> countedWithoutGap(cluster, "later"));
    cluster.kubectl("delete", "pod", "left", "--force", "--grace-period=0");
  }
}
