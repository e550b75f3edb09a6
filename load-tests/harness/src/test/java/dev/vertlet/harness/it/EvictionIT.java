package dev.vertlet.harness.it;

import static dev.vertlet.harness.it.TestPods.annotated;
import static dev.vertlet.harness.it.TestPods.container;
import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.FullRing;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pods that have to go for the sake of their node, on a real API server with its controllers. */
@ClusterTest(controllers = true)
class EvictionIT {

  @TempDir private Path folder;

  private AgentProcess start(TestCluster cluster, String node, String... settings)
      throws IOException {
    String json =
        """
        {"nodes": [{"name": "%s", "capacity": {"cpu": "8", "memory": "1Gi", "pods": "20"},
                    "evictionPressureTransitionPeriod": "60s"}]}
        """
            .formatted(node);
    Path config = Files.writeString(folder.resolve("vertlet.json"), json);
    return cluster.agent(
        AgentProcess.Setup.of(folder, config, cluster.agentKubeconfig()).with(settings));
  }

  private static UnaryOperator<PodBuilder> using(String memory) {
    return annotated("memory-usage", memory);
  }

  private static UnaryOperator<PodBuilder> asking(String memory) {
    return container("resources: {requests: {memory: %s}}".formatted(memory));
  }

  private static String pressure(TestCluster cluster, String node) {
    return cluster.field(
        "node",
        node,
        "{.status.conditions[?(@.type==\"MemoryPressure\")].status}"
            + " {.status.conditions[?(@.type==\"MemoryPressure\")].reason}");
  }

  private static List<String> disruptions(Pod pod) {
    return pod.getStatus().getConditions().stream()
        .filter(condition -> condition.getType().equals("DisruptionTarget"))
        .map((PodCondition c) -> c.getStatus() + " " + c.getReason() + " " + c.getMessage())
        .toList();
  }

  @Test
  @FullRing // the pressure takes a minute to pass; EvictionVerticleTest is daily
  @Tag("C43")
  void c43ANodeShortOfMemoryEvictsItsWorstPodAndTakesNoBestEffortUntilItIsOver(TestCluster cluster)
      throws IOException {
    start(cluster, "short");
    cluster.create("modest", "short", asking("200Mi"), using("100Mi"));
    cluster.tells("Running", "get", "pod", "modest", "-o", "jsonpath={.status.phase}");
    cluster.create("greedy", "short", using("900Mi"));

    String message =
        "The node was low on resource: memory. Threshold quantity: 100Mi, available: 24Mi."
            + " Container main was using 900Mi, request is 0, has larger consumption of memory. ";
    cluster.tells(
        "Failed Evicted",
        "get",
        "pod",
        "greedy",
        "-o",
        "jsonpath={.status.phase} {.status.reason}");
    Pod greedy = cluster.pods().get("greedy");
    assertThat(greedy.getStatus().getPhase()).isEqualTo("Failed");
    assertThat(greedy.getStatus().getMessage()).isEqualTo(message);
    assertThat(disruptions(greedy)).containsExactly("True TerminationByKubelet " + message);
    eventually(
        () ->
            assertThat(pressure(cluster, "short")).isEqualTo("True KubeletHasInsufficientMemory"));
    eventually(
        () ->
            assertThat(cluster.field("node", "short", "{.spec.taints}"))
                .contains("node.kubernetes.io/memory-pressure"));

    cluster.create("late", "short", pod -> pod.editSpec().withTolerations(List.of()).endSpec());
    cluster.create("asks", "short", asking("10Mi"));
    eventually(
        () ->
            assertThat(cluster.pods().get("late").getStatus().getMessage())
                .isEqualTo("Pod was rejected: The node had condition: [MemoryPressure]. "));
    cluster.tells("Running", "get", "pod", "asks", "-o", "jsonpath={.status.phase}");
    eventually(
        () ->
            assertThat(cluster.kubectl("describe", "node", "short"))
                .containsPattern("Warning +EvictionThresholdMet +.*Attempting to reclaim memory")
                .containsPattern("Normal +NodeHasInsufficientMemory "));

    eventually(
        () -> assertThat(pressure(cluster, "short")).isEqualTo("False KubeletHasSufficientMemory"));
    cluster.create("later", "short");
    cluster.tells("Running", "get", "pod", "later", "-o", "jsonpath={.status.phase}");
    assertThat(cluster.pods().get("modest").getStatus().getPhase()).isEqualTo("Running");
  }

  @Test
  @Tag("C39")
  void c39ACriticalPodGetsTheRoomOfOthers(TestCluster cluster) throws IOException {
    start(cluster, "tight");
    cluster.create("big", "tight", asking("800Mi"));
    cluster.tells("Running", "get", "pod", "big", "-o", "jsonpath={.status.phase}");

    // critical classes are allowed in this namespace only where a quota says so, or in kube-system
    cluster
        .client()
        .pods()
        .inNamespace("kube-system")
        .resource(
            asking("500Mi")
                .apply(TestPods.template("critical-" + cluster.namespace(), "tight"))
                .editSpec()
                .withPriorityClassName("system-node-critical")
                .endSpec()
                .build())
        .create();
    try {
      eventually(
          () ->
              assertThat(
                      cluster
                          .client()
                          .pods()
                          .inNamespace("kube-system")
                          .withName("critical-" + cluster.namespace())
                          .get()
                          .getStatus()
                          .getPhase())
                  .isEqualTo("Running"));
      Pod big = cluster.pods().get("big");
      assertThat(big.getStatus().getPhase()).isEqualTo("Failed");
      assertThat(big.getStatus().getReason()).isEqualTo("Preempting");
      assertThat(disruptions(big))
          .containsExactly(
              "True TerminationByKubelet Pod was preempted by Kubelet to accommodate a critical"
                  + " pod.");
    } finally {
      cluster
          .client()
          .pods()
          .inNamespace("kube-system")
          .withName("critical-" + cluster.namespace())
          .withGracePeriod(0)
          .delete();
    }
  }

  @Test
  void anAgentThatIsToldToTakesItsPodsAlong(TestCluster cluster) throws Exception {
    AgentProcess agent = start(cluster, "down", "--set", "agent.drainOnShutdown=true");
    cluster.create("p", "down");
    cluster.tells("Running", "get", "pod", "p", "-o", "jsonpath={.status.phase}");

    assertThat(agent.terminate()).isZero();

    String message = "Pod was terminated in response to imminent node shutdown.";
    Pod pod = cluster.pods().get("p");
    assertThat(pod.getStatus().getPhase()).isEqualTo("Failed");
    assertThat(pod.getStatus().getReason()).isEqualTo("Terminated");
    assertThat(pod.getStatus().getMessage()).isEqualTo(message);
    assertThat(disruptions(pod)).containsExactly("True TerminationByKubelet " + message);
    assertThat(
            cluster.field(
                "node",
                "down",
                "{.status.conditions[?(@.type==\"Ready\")].status}"
                    + " {.status.conditions[?(@.type==\"Ready\")].message}"))
        .isEqualTo("False node is shutting down");
  }
}
