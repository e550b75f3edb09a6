package dev.vertlet.harness.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An agent is replaced by the next one, as a DaemonSet's rolling update does it, on an API server
 * whose controllers would notice a node that is gone: nobody does.
 */
@ClusterTest(controllers = true)
class UpgradeIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final int PODS = 50;
  private static final int UPGRADES = 2;
  private static final String NODE = "upgraded0";

  @TempDir private Path folder;

  /** What a watch told of the node's Ready; the watch's thread writes, the test's reads. */
  private final List<String> told = new CopyOnWriteArrayList<>();

  @Test
  void theNextAgentStartsWhileTheOldOneEndsAndNobodyNotices(TestCluster cluster) throws Exception {
    AgentProcess.Setup setup =
        AgentProcess.Setup.ofNodes(folder, "upgraded", 1, cluster.agentKubeconfig());
    AgentProcess agent = cluster.closeAfterTest(setup.start());
    awaitReady(agent);
    cluster.closeAfterTest(watchNode(cluster));
    PodRecorder recorder = cluster.recordPods();
    cluster.pods().createMany("p", NODE, PODS);
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(recorder.ready()).hasSize(PODS));
    Map<String, String> before = versions(cluster);

    for (int i = 0; i < UPGRADES; i++) {
      agent.askToEnd();
      AgentProcess next = cluster.closeAfterTest(startBeside(setup));
      assertThat(agent.exitCode()).isZero();
      agent = next;
    }

    String probe = cluster.pods().create("probe", NODE).getMetadata().getUid();
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(recorder.ready()).contains(probe));
    Map<String, String> after = versions(cluster);
    after.remove("probe");
    assertThat(after).as("pods that were written").isEqualTo(before);
    assertThat(recorder.violations()).isEmpty();
    assertThat(told).isNotEmpty().containsOnly("True");
  }

  /** Again and again while the old one has the data directory, as a kubelet restarts containers. */
  private static AgentProcess startBeside(AgentProcess.Setup setup) throws Exception {
    AgentProcess agent = setup.start();
    while (!ready(agent)) {
      assertThat(agent.exitCode()).isEqualTo(1);
      assertThat(agent.log()).contains("is in use by");
      agent = setup.start();
    }
    return agent;
  }

  /** Waits until it is ready, which is true, or has ended. */
  private static boolean ready(AgentProcess agent) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(!agent.alive() || agent.ready()).isTrue());
    return agent.alive();
  }

  private static void awaitReady(AgentProcess agent) {
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(agent.ready()).isTrue());
  }

  private Watch watchNode(TestCluster cluster) {
    return cluster
        .client()
        .nodes()
        .withName(NODE)
        .watch(
            new Watcher<Node>() {
              @Override
              public void eventReceived(Action action, Node node) {
                node.getStatus().getConditions().stream()
                    .filter(condition -> condition.getType().equals("Ready"))
                    .forEach(condition -> told.add(condition.getStatus()));
              }

              @Override
              public void onClose(WatcherException cause) {
                told.add("the watch ended: " + cause.getMessage());
              }
            });
  }

  private static Map<String, String> versions(TestCluster cluster) {
    return cluster.pods().list().stream()
        .collect(
            Collectors.toMap(
                pod -> pod.getMetadata().getName(), pod -> pod.getMetadata().getResourceVersion()));
  }
}
