package dev.vertlet.harness.it;

import static dev.vertlet.harness.it.TestPods.spec;
import static dev.vertlet.testsupport.Waits.eventually;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.agent.Vertlet;
import dev.vertlet.sandbox.SandboxNames;
import dev.vertlet.testsupport.BusyboxRegistry;
import dev.vertlet.testsupport.Rings;
import dev.vertlet.testsupport.Waits;
import io.fabric8.kubernetes.api.model.Pod;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Warm pods of real containers whose images are exchanged for those of claims. */
@ClusterTest(controllers = true)
@Needs(Tool.CONTAINERS)
@Tag("containers")
class CriSandboxIT {
  private static final SandboxNames NAMES = SandboxNames.AGENTBOX;
  private static final String NODE = "cri-warm";
  private static final String POOL = "tools";

  /** Each claim is two swaps. */
  private static final int CLAIMS = Rings.isFull() ? 100 : 3;

  @TempDir private Path folder;

  private final ContainerLab lab = new ContainerLab();

  private void agent(TestCluster cluster) throws InterruptedException {
    cluster.grant(Manifests.SECRETS);
    cluster.grant(Manifests.CONTENT);
    JsonObject config =
        lab.config(NODE, folder.resolve("data"))
            .put(
                "kubernetes",
                new JsonObject().put("kubeconfig", cluster.agentKubeconfig().toString()))
            .put("server", new JsonObject().put("port", 0));
    cluster.closeAfterTest(Vertlet.start(config.encode()));
    cluster.closeAfterTest(() -> ContainerLab.removeAll(cluster));
  }

  private SandboxProcess server(TestCluster cluster, BusyboxRegistry registry, String idle)
      throws Exception {
    JsonObject config =
        new JsonObject(
            """
            {"resolver": {"plainHttp": ["%2$s"], "registries": ["*"]},
             "api": {"authentication": "none"},
             "leaderElection": {"namespace": "%1$s", "duration": "3s", "renewInterval": "500ms"},
             "pools": [{"name": "%3$s", "namespace": "%1$s", "idleImage": "%4$s"}]}
            """
                .formatted(cluster.namespace(), registry.address(), POOL, idle));
    return cluster.closeAfterTest(
        SandboxProcess.start(
            Files.createDirectory(folder.resolve("server")),
            config,
            SandboxAccess.grant(cluster, folder),
            SandboxProcess.PLAIN));
  }

  private static void warm(TestCluster cluster, String name, String image) {
    cluster.create(
        name,
        NODE,
        pod ->
            spec("{terminationGracePeriodSeconds: 1, containers: [{name: main, image: '"
                    + image
                    + "', command: [sh, -c, 'exec sleep 3600']}]}")
                .apply(pod)
                .editMetadata()
                .addToLabels(Map.of(NAMES.pool(), POOL, NAMES.phase(), "idle"))
                .endMetadata());
    cluster.kubectl("wait", "--for=condition=Ready", "pod/" + name, KubectlRuns.LIMIT);
  }

  private static JsonObject get(CompletableFuture<JsonObject> call) throws Exception {
    return call.get(Waits.LONG.toSeconds(), SECONDS);
  }

  @Test
  @Tag("X11")
  void anImageIsExchangedInARunningPod(TestCluster cluster) throws Exception {
    Vertx vertx = Vertx.vertx();
    cluster.closeAfterTest(() -> Waits.get(vertx.close()));
    BusyboxRegistry registry = new BusyboxRegistry(vertx);
    String idle = registry.image("warm:1");
    String wanted = registry.image("work:2");
    agent(cluster);
    warm(cluster, "warm", idle);
    SandboxProcess server = server(cluster, registry, idle);
    eventually(() -> assertThat(server.ready()).as(server.process().log()).isTrue());
    eventually(() -> assertThat(server.status(POOL).getInteger("ready")).isEqualTo(1));
    Pod before = cluster.pods().get("warm");
    Histogram starts = new Histogram(3);

    for (int i = 0; i < CLAIMS; i++) {
      long began = System.nanoTime();
      JsonObject running = get(server.claim(POOL, "claim-" + i, wanted));
      starts.recordValue((System.nanoTime() - began) / 1000);

      assertThat(running.getString("phase")).isEqualTo("running");
      Pod claimed = cluster.pods().get("warm");
      var status = TestPods.firstContainer(claimed);
      assertThat(status.getImage()).isEqualTo(wanted);
      assertThat(status.getState().getRunning()).isNotNull();
      assertThat(status.getRestartCount()).isEqualTo(2 * i + 1);
      assertThat(cluster.kubectl("exec", "warm", "--", "echo", "there")).isEqualTo("there\n");
      var unused = get(server.release(POOL, "claim-" + i));
      eventually(() -> assertThat(server.status(POOL).getInteger("ready")).isEqualTo(1));
    }

    Pod after = cluster.pods().get("warm");
    assertThat(after.getMetadata().getUid()).isEqualTo(before.getMetadata().getUid());
    assertThat(after.getStatus().getPodIP()).isEqualTo(before.getStatus().getPodIP());
    assertThat(after.getSpec().getContainers().get(0).getImage()).isEqualTo(idle);
    System.out.printf(
        "claim to running on real containers: p50 %.0f ms, p99 %.0f ms of %d%n",
        starts.getValueAtPercentile(50) / 1000.0,
        starts.getValueAtPercentile(99) / 1000.0,
        starts.getTotalCount());
  }
}
