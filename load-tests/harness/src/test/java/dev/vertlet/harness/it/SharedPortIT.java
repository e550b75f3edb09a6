package dev.vertlet.harness.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** More nodes than have ports of their own, through a real API server. */
@ClusterTest
class SharedPortIT {
  private static final int NODES = 65;
  private static final String PORT = "jsonpath={.status.daemonEndpoints.kubeletEndpoint.Port}";

  @Test
  void podsOfNodesThatShareAPortAreReached(TestCluster cluster, @TempDir Path dir)
      throws Exception {
    cluster.agent(
        AgentProcess.Setup.ofNodes(dir, "shared", NODES, cluster.agentKubeconfig())
            .with("--set", "server.portRange=0", "--set", "server.healthzPort=0"));
    KubectlRuns kubectl =
        new KubectlRuns(
            cluster.controlPlane().kubectlProgram(),
            cluster.kubeconfig(),
            cluster.namespace(),
            dir);
    assertThat(kubectl.output("get", "node", "shared64", "-o", PORT))
        .as("the last node's port is the first one's")
        .isNotEmpty()
        .isEqualTo(kubectl.output("get", "node", "shared0", "-o", PORT));
    for (String node : new String[] {"shared0", "shared64"}) {
      cluster.create("on-" + node, node);
      kubectl.output("wait", "--for=condition=Ready", "pod/on-" + node, KubectlRuns.LIMIT);
    }

    for (String pod : new String[] {"on-shared0", "on-shared64"}) {
      assertThat(kubectl.output("logs", pod)).contains("container ", " started\n");
      for (Wire wire : Wire.values()) {
        assertThat(kubectl.run(wire, "exec", pod, "--", "hostname").out()).isEqualTo(pod + "\n");
        try (KubectlRuns.Run run = kubectl.start(wire, "port-forward", "pod/" + pod, ":8080")) {
          assertThat(StreamTests.forwarded(run).answers(1, 1))
              .containsExactly("pod %s/%s, port 8080\n".formatted(cluster.namespace(), pod));
        }
      }
    }
  }
}
