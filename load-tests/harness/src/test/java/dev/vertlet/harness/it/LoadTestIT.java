package dev.vertlet.harness.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vertlet.harness.load.LoadPlan;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Its namespace goes only where controllers run. */
@ClusterTest(controllers = true)
class LoadTestIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir private Path dir;

  @Test
  void measuresAndLeavesNothingBehind(TestCluster cluster) throws Exception {
    Path json = dir.resolve("report.json");

    Launcher.Outcome outcome =
        Launcher.run(
            dir,
            "load-test",
            "--target=" + cluster.kubeconfig(),
            "--agent-kubeconfig=" + cluster.agentKubeconfig(),
            "--yes",
            "--nodes=2",
            "--pods=10",
            "--json=" + json);

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    JsonObject report = new JsonObject(Files.readString(json));
    assertThat(report.getInteger("ready")).isEqualTo(10);
    assertThat(report.getInteger("gone")).isEqualTo(10);
    assertThat(report.getJsonObject("up").getDouble("p50_ms")).isPositive();
    assertThat(report.getJsonObject("agent").getDouble("cpu_ms_per_pod_up")).isPositive();
    assertThat(report.getInteger("node_flips")).isZero();
    assertThat(outcome.out()).contains("create to Ready", "delete to gone", "lease gaps");
    assertThat(leftovers(cluster)).isEmpty();
  }

  @Test
  void clearsUpAfterItWasToldToStop(TestCluster cluster) throws Exception {
    Process test =
        Launcher.start(
            dir,
            "load-test",
            "--target=" + cluster.kubeconfig(),
            "--agent-kubeconfig=" + cluster.agentKubeconfig(),
            "--yes",
            "--nodes=1",
            "--pods=1000",
            "--rate=5");
    try {
      await()
          .atMost(PATIENCE)
          .until(() -> leftovers(cluster).stream().anyMatch(name -> name.contains("-pod-")));

      test.destroy();

      assertThat(Launcher.await(test, dir).exitCode()).isEqualTo(1);
      assertThat(leftovers(cluster)).isEmpty();
    } finally {
      test.destroyForcibly();
    }
  }

  /** Names of what load tests made, of every kind they make. */
  private static List<String> leftovers(TestCluster cluster) {
    return Stream.of(
            cluster.client().namespaces().withLabel(LoadPlan.LABEL).list().getItems(),
            cluster.client().nodes().withLabel(LoadPlan.LABEL).list().getItems(),
            cluster.client().pods().inAnyNamespace().list().getItems(),
            cluster.client().leases().inNamespace("kube-node-lease").list().getItems())
        .flatMap(List::stream)
        .map(HasMetadata::getMetadata)
        .map(metadata -> metadata.getName())
        .filter(name -> name.startsWith("load-"))
        .toList();
  }
}
