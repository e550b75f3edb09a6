package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An agent is replaced by the next one, as a DaemonSet's rolling update does it, on an API server
 * whose controllers would notice a node that is gone: nobody does.
 */
@ClusterTest(controllers = true)
class UpgradeIT {
  private static final int PODS = 50;
  private static final int UPGRADES = 2;
  private static final String NODE = "upgraded0";

  @TempDir private Path folder;

  @Test
  void theNextAgentStartsWhileTheOldOneEndsAndNobodyNotices(TestCluster cluster) throws Exception {
    AgentProcess.Setup setup = cluster.agentSetup(folder, "upgraded");
    AgentProcess agent = cluster.closeAfterTest(setup.start());
    awaitReady(agent);
    NodeReadiness ready = cluster.closeAfterTest(NodeReadiness.watch(cluster.client(), NODE));
    PodRecorder recorder = cluster.recordPods();
    cluster.pods().createMany("p", NODE, PODS);
    eventually(() -> assertThat(recorder.ready()).hasSize(PODS));
    Map<String, String> before = cluster.pods().versions();

    for (int i = 0; i < UPGRADES; i++) {
      agent.askToEnd();
      AgentProcess next = cluster.closeAfterTest(startBeside(setup));
      assertThat(agent.exitCode()).isZero();
      agent = next;
    }

    String probe = cluster.create("probe", NODE).getMetadata().getUid();
    eventually(() -> assertThat(recorder.ready()).contains(probe));
    Map<String, String> after = cluster.pods().versions();
    after.remove("probe");
    assertThat(after).as("pods that were written").isEqualTo(before);
    assertThat(recorder.violations()).isEmpty();
    assertThat(ready.statuses()).isNotEmpty().containsOnly("True");
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
    eventually(() -> assertThat(!agent.alive() || agent.ready()).isTrue());
    return agent.alive();
  }

  private static void awaitReady(AgentProcess agent) {
    agent.awaitReady();
  }
}
