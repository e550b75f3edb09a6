package dev.vertlet.harness.it;

import static dev.vertlet.harness.it.TestPods.annotated;
import static dev.vertlet.harness.it.TestPods.spec;
import static dev.vertlet.testsupport.Waits.eventually;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.config.process.Host;
import dev.vertlet.testsupport.Measuring;
import dev.vertlet.testsupport.Waits;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The main job, on a real API server with its controllers. */
@ClusterTest(controllers = true)
class AgentIT {
  /** Of 0.7 s on the machine that docs/performance.md names, on which a node is Ready after 4 s. */
  private static final int STARTS = 15;

  private static final Path SHIPPED = Path.of("..", "..", "conf", "vertlet.json");

  @TempDir private Path folder;

  @Test
  @Measuring
  void theShippedConfigurationRunsUnchangedAndItsNodeIsReadyInAFewStartsOfTheCommand(
      TestCluster cluster) throws Exception {
    double ratio = ratio(cluster, "shipped-0");
    // the machine may turn to other things between the two
    for (int again = 1; again < 3 && ratio > STARTS; again++) {
      ratio = Math.min(ratio, ratio(cluster, "shipped-" + again));
    }

    assertThat(ratio).as("starts of the command").isLessThanOrEqualTo(STARTS);
  }

  /** How many starts of the command alone it takes until the node is Ready. */
  private double ratio(TestCluster cluster, String name) throws Exception {
    long begin = System.nanoTime();
    Process command =
        new ProcessBuilder(AgentProcess.vertlet("--version"))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(Waits.exit(command)).isZero();
    long alone = System.nanoTime() - begin;
    return (double) startShipped(cluster, name).toNanos() / alone;
  }

  /** From the start of the process until a watch tells that the node is Ready. */
  private Duration startShipped(TestCluster cluster, String name) throws Exception {
    AgentProcess.Setup setup =
        AgentProcess.Setup.of(folder, SHIPPED, cluster.agentKubeconfig())
            .withEnvironment(Map.of("NODE_NAME", name));
    long begin = System.nanoTime();
    try (AgentProcess agent = setup.start()) {
      cluster
          .client()
          .nodes()
          .withName(name + "-v0")
          .waitUntilReady(Waits.LONG.toMillis(), MILLISECONDS);
      Duration taken = Duration.ofNanos(System.nanoTime() - begin);
      agent.awaitReady();
      return taken;
    }
  }

  @Test
  void theShippedConfigurationNamesTheNodeAfterTheHostWhereNothingElseDoes(TestCluster cluster) {
    cluster.agent(AgentProcess.Setup.of(folder, SHIPPED, cluster.agentKubeconfig()));

    assertThat(cluster.isReady(Host.detect().name() + "-v0")).isTrue();
  }

  @Test
  @Tag("2.4-8")
  void aThousandPodsBoundAtOnceGetReadyAndAreGoneWhenDeleted(TestCluster cluster) {
    AgentProcess agent = start(cluster, "burst");
    PodRecorder recorder = cluster.recordPods();

    cluster.pods().createMany("p", "burst0", 1000);

    eventually(() -> assertThat(recorder.ready()).hasSize(1000));
    assertThat(distinctIps(cluster)).isEqualTo(1000);
    assertThat(agent.metric("rest_client_requests_total", "resource=\"pods/status\""))
        .as("status writes")
        .isBetween(1000.0, 3000.0);

    cluster.pods().deleteAll();

    eventually(() -> assertThat(recorder.gone()).hasSize(1000));
    assertThat(recorder.violations()).isEmpty();
    eventually(() -> assertThat(agent.metric("kubelet_running_pods")).isZero());
  }

  @Test
  @Tag("C67")
  void sigtermLeavesPodsRunningAndTheNextStartAdoptsThemWithoutAWrite(TestCluster cluster)
      throws Exception {
    AgentProcess first = start(cluster, "restart");
    PodRecorder recorder = cluster.recordPods();
    cluster.pods().createMany("p", "restart0", 1000);
    eventually(() -> assertThat(recorder.ready()).hasSize(1000));

    assertThat(first.terminate()).isZero();
    assertThat(cluster.lease("restart0").getSpec().getHolderIdentity()).isNull();
    Map<String, String> before = cluster.pods().versions();

    AgentProcess second = setup(cluster, "restart").start();
    cluster.closeAfterTest(second);
    second.awaitReady();
    Pod probe = cluster.create("probe", "restart0");
    String probeUid = probe.getMetadata().getUid();
    eventually(() -> assertThat(recorder.ready()).contains(probeUid));

    Map<String, String> after = cluster.pods().versions();
    after.remove("probe");
    assertThat(after).isEqualTo(before);
    assertThat(recorder.violations()).isEmpty();
    assertThat(distinctIps(cluster)).isEqualTo(1001);
  }

  @Test
  @Tag("2.4-2")
  void theObjectOfADeletedPodGoesAsSoonAsItsContainersEnd(TestCluster cluster) {
    start(cluster, "grace");
    PodRecorder recorder = cluster.recordPods();
    cluster.create("quick", "grace0");
    eventually(() -> assertThat(recorder.ready()).hasSize(1));

    // kubectl waits until the object is gone, and no test has the patience for this grace
    cluster.kubectl("delete", "pod", "quick", "--grace-period=3600");

    assertThat(cluster.pods().list()).isEmpty();
  }

  @Test
  @Tag("C34")
  void aContainerThatIgnoresTermIsKilledWhenItsGraceIsOver(TestCluster cluster) {
    start(cluster, "stubborn");
    PodRecorder recorder = cluster.recordPods();
    cluster.create(
        "p",
        "stubborn0",
        annotated("stop-delay", "never"),
        spec("terminationGracePeriodSeconds: 3"));
    eventually(() -> assertThat(recorder.ready()).hasSize(1));

    assertThat(cluster.pods().deleteAndAwaitEnd("p")).isGreaterThanOrEqualTo(Duration.ofSeconds(3));
    eventually(() -> assertThat(recorder.gone()).hasSize(1));
  }

  @Test
  void whatKubectlShowsReadsLikeAKubelets(TestCluster cluster) {
    start(cluster, "shown");
    PodRecorder recorder = cluster.recordPods();
    cluster.create("p", "shown0");
    eventually(() -> assertThat(recorder.ready()).hasSize(1));

    assertThat(cluster.kubectl("get", "pods", "-o", "wide"))
        .containsPattern("p +1/1 +Running +0 +\\S+ +10\\.\\S+ +shown0");
    assertThat(cluster.kubectl("get", "nodes", "shown0", "-o", "wide"))
        .containsPattern(
            "shown0 +Ready +\\S+ +\\d+\\S* +v1\\.36\\.3-vertlet-\\S+ +\\d+\\.\\S+ +<none>"
                + " +\\w.* +\\d+\\.\\S+.* +vertlet://\\S+");
    assertThat(cluster.kubectl("describe", "node", "shown0"))
        .contains(
            "kubelet is posting ready status", "virtual-kubelet.io/provider=simulated:NoSchedule");
    eventually(
        () ->
            assertThat(cluster.kubectl("describe", "pod", "p"))
                .containsPattern("Normal +Pulled +\\S+ +kubelet")
                .containsPattern("Normal +Created +\\S+ +kubelet")
                .containsPattern("Normal +Started +\\S+ +kubelet"));
  }

  @Test
  @Tag("C51")
  void theEventsOfAScheduledPodAndItsNodeReadLikeAKubelets(TestCluster cluster) {
    start(cluster, "events");
    PodRecorder recorder = cluster.recordPods();
    cluster.create(
        "p",
        "events0",
        pod ->
            pod.editSpec()
                .withNodeName(null) // for the scheduler to find
                .addToNodeSelector("kubernetes.io/hostname", "events0")
                .endSpec());
    eventually(() -> assertThat(recorder.ready()).hasSize(1));

    eventually(
        () ->
            assertThat(cluster.kubectl("get", "events", "--sort-by=.metadata.creationTimestamp"))
                .containsPattern("LAST SEEN +TYPE +REASON +OBJECT +MESSAGE")
                .containsPattern(
                    "\\d+s +Normal +Scheduled +pod/p +Successfully assigned "
                        + cluster.namespace()
                        + "/p to events0")
                .containsPattern(
                    "\\d+s +Normal +Pulled +pod/p +Successfully pulled image"
                        + " \"registry.k8s.io/pause:3.10\" in ")
                .containsPattern("\\d+s +Normal +Created +pod/p +Container created")
                .containsPattern("\\d+s +Normal +Started +pod/p +Container started"));
    eventually(
        () ->
            assertThat(
                    cluster
                        .controlPlane()
                        .kubectl(
                            "get",
                            "events",
                            "--namespace=default",
                            "--field-selector=involvedObject.name=events0"))
                .containsPattern("\\d+s +Normal +Starting +node/events0 +Starting kubelet\\.")
                .containsPattern(
                    "\\d+s +Normal +NodeReady +node/events0 +Node events0 status is now:"
                        + " NodeReady"));
  }

  @Test
  @Tag("2.4-6")
  @Tag("BeforeAnnotationsPreserved")
  void anExistingNodeIsAdoptedAndWhatOthersPutOnItStays(TestCluster cluster) {
    cluster
        .client()
        .nodes()
        .resource(
            new NodeBuilder()
                .withNewMetadata()
                .withName("adopted0")
                .addToLabels("team", "x")
                .addToAnnotations("note", "y")
                .endMetadata()
                .withNewSpec()
                .addNewTaint("NoSchedule", "theirs", null, "z")
                .endSpec()
                .build())
        .create();

    start(cluster, "adopted");

    eventually(() -> assertThat(cluster.isReady("adopted0")).isTrue());
    Node node = cluster.node("adopted0");
    assertThat(node.getMetadata().getLabels())
        .containsEntry("team", "x")
        .containsEntry("type", "virtual-kubelet");
    assertThat(node.getMetadata().getAnnotations()).containsEntry("note", "y");
    assertThat(node.getSpec().getTaints())
        .extracting(Taint::getKey)
        .contains("theirs", "virtual-kubelet.io/provider");
  }

  @Test
  @Tag("2.4-6")
  @Tag("E2ERunWithLeases")
  void aNodeDeletedBehindOurBackIsRegisteredAgainAndTheLeaseFollows(TestCluster cluster) {
    AgentProcess agent = start(cluster, "phoenix");
    String before = uid(cluster, "phoenix0");

    cluster.client().nodes().withName("phoenix0").delete();

    eventually(
        () -> {
          Node node = cluster.node("phoenix0");
          assertThat(node).isNotNull();
          assertThat(node.getMetadata().getUid()).isNotEqualTo(before);
          Lease lease = cluster.lease("phoenix0");
          assertThat(lease).isNotNull();
          assertThat(lease.getMetadata().getOwnerReferences())
              .extracting(owner -> owner.getUid())
              .containsExactly(node.getMetadata().getUid());
        });
    assertThat(agent.log()).contains("node was deleted by another client; registered again");
  }

  @Test
  void aSecondAgentWaitsForTheLeaseSaysWhoseItIsAndTakesOver(TestCluster cluster) throws Exception {
    // the second one looks again when the lease has run out: the less there is to wait for
    String[] lease = {"--set", "lease.duration=8s", "--set", "lease.renewInterval=2s"};
    AgentProcess first =
        cluster.agent(setup(cluster, "contested").with("--set", "agent.identity=one").with(lease));
    Path other = Files.createDirectory(folder.resolve("other"));
    AgentProcess second =
        cluster.closeAfterTest(
            cluster
                .agentSetup(other, "contested")
                .with("--set", "agent.identity=two")
                .with(lease)
                .start());

    eventually(() -> assertThat(second.log()).contains("agent one"));
    assertThat(second.ready()).isFalse();
    assertThat(first.terminate()).isZero();

    second.awaitReady();
    assertThat(cluster.lease("contested0").getMetadata().getAnnotations())
        .containsEntry("vertlet.dev/agent", "two");
  }

  @Test
  void twoProcessesOnOneDataDirectoryAreRefused(TestCluster cluster) throws Exception {
    start(cluster, "locked");

    AgentProcess second = cluster.closeAfterTest(setup(cluster, "locked").start());

    assertThat(second.exitCode()).isEqualTo(1);
    assertThat(second.log().lines().filter(line -> line.contains("data"))).hasSize(1);
  }

  @Test
  @Tag("E2ERunWithoutLeases")
  void aNodeWithoutALeaseIsKeptAliveByItsStatus(TestCluster cluster) throws Exception {
    AgentProcess agent =
        cluster.agent(
            setup(cluster, "leaseless")
                .with("--set", "lease.enabled=false")
                .with("--set", "nodeStatus.reportFrequency=1s"));
    PodRecorder recorder = cluster.recordPods();
    cluster.create("p", "leaseless0");

    eventually(() -> assertThat(recorder.ready()).hasSize(1));
    assertThat(cluster.isReady("leaseless0")).isTrue();
    String before = heartbeat(cluster, "leaseless0");
    eventually(() -> assertThat(heartbeat(cluster, "leaseless0")).isGreaterThan(before));
    assertThat(cluster.lease("leaseless0")).isNull();
    assertThat(agent.terminate()).isZero();
  }

  /** When the node last said that it is ready. */
  private static String heartbeat(TestCluster cluster, String node) {
    return cluster.node(node).getStatus().getConditions().stream()
        .filter(condition -> condition.getType().equals("Ready"))
        .findFirst()
        .orElseThrow()
        .getLastHeartbeatTime();
  }

  private AgentProcess start(TestCluster cluster, String node) {
    return cluster.agent(setup(cluster, node));
  }

  private AgentProcess.Setup setup(TestCluster cluster, String node) {
    return cluster.agentSetup(folder, node);
  }

  private static String uid(TestCluster cluster, String node) {
    return cluster.node(node).getMetadata().getUid();
  }

  private static int distinctIps(TestCluster cluster) {
    List<String> ips =
        cluster.pods().list().stream()
            .map(pod -> pod.getStatus().getPodIP())
            .filter(Objects::nonNull)
            .toList();
    return Map.copyOf(ips.stream().collect(Collectors.groupingBy(ip -> ip))).size();
  }
}
