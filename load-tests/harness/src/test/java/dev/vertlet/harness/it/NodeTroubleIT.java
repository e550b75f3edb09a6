package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.FullRing;
import io.fabric8.kubernetes.api.model.NodeCondition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nodes that get lost and fall ill by rule, as a cluster sees them whose patience is a tenth of the
 * usual one.
 */
@ClusterTest(
    own = true,
    controllers = true,
    controllerManagerFlags = {"--node-monitor-grace-period=6s", "--node-monitor-period=1s"})
class NodeTroubleIT {
  private static final Duration LOOK = Duration.ofMillis(200);
  private static final String NODE = "trouble0";
  private static final int PODS = 5;

  @TempDir private Path folder;

  /** An agent whose leases and pings are as much quicker as the cluster is. */
  private void start(TestCluster cluster, String rule) throws IOException {
    Path config = folder.resolve("vertlet.json");
    Files.writeString(
        config,
        """
        {"nodes": [{"name": "%s", "capacity": {"cpu": "1000", "memory": "1Ti", "pods": "5000"}}],
         "lease": {"duration": "4s", "renewInterval": "1s"},
         "nodeStatus": {"pingInterval": "500ms"},
         "simulated": {"nodes": [%s]}}
        """
            .formatted(NODE, rule));
    cluster.agent(AgentProcess.Setup.of(folder, config, cluster.agentKubeconfig()));
  }

  @Test
  void aLostNodeAndItsPodsAreTakenForDeadAndHealWhenItIsBack(TestCluster cluster)
      throws IOException {
    start(
        cluster,
        """
        {"name": "lost", "trouble": "lost", "every": "10s", "lasts": "15s"}
        """);
    PodRecorder recorder = cluster.recordPods();
    cluster.pods().createMany("p", NODE, PODS);
    eventually(() -> assertThat(recorder.ready()).hasSize(PODS));

    eventually(() -> assertThat(ready(cluster).getStatus()).isEqualTo("Unknown"));
    eventually(() -> assertThat(recorder.ready()).isEmpty());
    cluster.kubectl("delete", "pod", "p-0", "--wait=false");

    eventually(() -> assertThat(ready(cluster).getStatus()).isEqualTo("True"));
    eventually(() -> assertThat(recorder.ready()).hasSize(PODS - 1));
    eventually(() -> assertThat(recorder.gone()).as("deleted while its node was lost").hasSize(1));
    assertThat(recorder.startedTwice()).isEmpty();
    assertThat(recorder.phaseReversals()).isEmpty();
  }

  @FullRing
  @Test
  void aNodeThatIsNotReadySaysWhyAndItsPodsGoOn(TestCluster cluster) throws IOException {
    start(
        cluster,
        """
        {"name": "ill", "trouble": "not-ready", "every": "8s", "lasts": "5s"}
        """);
    PodRecorder recorder = cluster.recordPods();
    cluster.pods().createMany("p", NODE, PODS);
    eventually(() -> assertThat(recorder.ready()).hasSize(PODS));

    eventually(() -> assertThat(ready(cluster).getStatus()).isEqualTo("False"));
    assertThat(ready(cluster).getMessage()).isEqualTo("the node is not ready by rule \"ill\"");
    eventually(() -> assertThat(taints(cluster)).contains("node.kubernetes.io/not-ready"));
    eventually(() -> assertThat(ready(cluster).getStatus()).isEqualTo("True"));
    eventually(() -> assertThat(taints(cluster)).doesNotContain("node.kubernetes.io/not-ready"));
    assertThat(recorder.ready()).hasSize(PODS);
    assertThat(recorder.violations()).isEmpty();
  }

  private static List<String> taints(TestCluster cluster) {
    return cluster.node(NODE).getSpec().getTaints().stream().map(taint -> taint.getKey()).toList();
  }

  private static NodeCondition ready(TestCluster cluster) {
    return cluster.node(NODE).getStatus().getConditions().stream()
        .filter(condition -> condition.getType().equals("Ready"))
        .findFirst()
        .orElseThrow();
  }
}
