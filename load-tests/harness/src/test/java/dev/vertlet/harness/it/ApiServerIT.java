package dev.vertlet.harness.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vertlet.apiserver.LoopbackPorts;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./vertlet api-server} as a cluster that comes back. */
class ApiServerIT {

  @TempDir private Path dir;

  private final String port = Integer.toString(LoopbackPorts.next());

  private Process serve() throws Exception {
    return Launcher.serve(
        dir, "api-server", "--port", port, "--state", dir.resolve("sub/state").toString());
  }

  @Test
  void aClusterWithAStateFileGoesOnWhereItEnded() throws Exception {
    Path kubeconfig = dir.resolve("sub/state.kubeconfig");
    Process first = serve();
    try {
      String handedOut = Files.readString(kubeconfig);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kubeconfig)))
          .isEqualTo("rw-------");
      assertThat(Files.readString(dir.resolve("out"))).contains("KUBECONFIG=" + kubeconfig);
      try (AgentProcess agent =
              AgentProcess.Setup.ofNodes(dir, "kept-", 1, kubeconfig)
                  .with("--set", "nodes.0.taints=[]")
                  .start();
          KubernetesClient client = TestCluster.connect(kubeconfig)) {
        Pod before = run(client, "before");

        first.destroy();
        assertThat(Launcher.await(first, dir).exitCode()).isZero();
        Process second = serve();
        try {
          assertThat(Files.readString(kubeconfig)).isEqualTo(handedOut);
          Pod after = client.pods().resource(before).get();
          assertThat(after.getMetadata().getUid()).isEqualTo(before.getMetadata().getUid());
          assertThat(Readiness.isPodReady(after)).isTrue();
          run(client, "after");
          assertThat(agent.alive()).isTrue();
        } finally {
          second.destroy();
          Launcher.await(second, dir);
        }
      }
    } finally {
      first.destroyForcibly();
    }
  }

  /** Creates a pod, which the scheduler binds and the agent runs. */
  private static Pod run(KubernetesClient client, String name) {
    Pod pod = TestPods.template(name, "").build();
    pod.getSpec().setNodeName(null);
    pod.getMetadata().setNamespace("default");
    client.pods().resource(pod).create();
    await().until(() -> Readiness.isPodReady(client.pods().resource(pod).get()));
    return client.pods().resource(pod).get();
  }

  @Test
  void aCorruptStateFileEndsWithOneLine() throws Exception {
    Path state = Files.writeString(dir.resolve("state"), "{}\n");

    Launcher.Outcome outcome = Launcher.run(dir, "api-server", "--state", state.toString());

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err().lines().filter(line -> !line.startsWith("building")).toList())
        .singleElement()
        .asString()
        .startsWith("vertlet: the state file " + state + " is corrupt in line 1");
    assertThat(state).hasContent("{}");
  }
}
