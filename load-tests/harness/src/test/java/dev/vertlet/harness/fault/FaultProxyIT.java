package dev.vertlet.harness.fault;

import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.vertlet.harness.it.ClusterTest;
import dev.vertlet.harness.it.PodRecorder;
import dev.vertlet.harness.it.TestCluster;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ClusterTest
@ExtendWith(VertxExtension.class)
class FaultProxyIT {
  private static final String RUNNING =
      """
      {"status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True",
        "lastTransitionTime": "2026-01-01T00:00:00Z"}]}}
      """;

  @TempDir private Path dir;
  private FaultProxy proxy;
  private TestCluster cluster;

  @BeforeEach
  void start(Vertx vertx, TestCluster cluster) throws Exception {
    this.cluster = cluster;
    proxy = get(FaultProxy.start(vertx, cluster.kubeconfig(), dir, new Random(1)));
  }

  @Test
  void listWatchCreateAndPatchPass() {
    KubernetesClient through = through();
    PodRecorder recorder = PodRecorder.start(through, cluster.namespace());
    cluster.closeAfterTest(recorder);
    Pod pod = cluster.pods().create("p", "nowhere");

    patchStatus(through, "p");

    await().until(() -> recorder.ready().contains(pod.getMetadata().getUid()));
    assertThat(recorder.violations()).isEmpty();
    assertThat(proxy.traffic().count("watch", "pods")).isPositive();
    assertThat(proxy.traffic().count("patch", "pods/status")).isEqualTo(1);
  }

  @Test
  void kubectlPasses() {
    cluster.pods().create("p", "nowhere");

    String output =
        cluster.kubectl("get", "pods", "-o", "name", "--kubeconfig", proxy.kubeconfig().toString());

    assertThat(output).isEqualTo("pod/p\n");
  }

  @Test
  void aWatchGoesOnAfterItsConnectionWasCut() throws Exception {
    PodRecorder recorder = PodRecorder.start(through(), cluster.namespace());
    cluster.closeAfterTest(recorder);

    assertThat(get(proxy.cutWatches())).isPositive();
    Pod pod = cluster.pods().create("p", "nowhere");

    await().until(() -> recorder.present().contains(pod.getMetadata().getUid()));
  }

  @Test
  void aConflictIsWhatAClientTakesForOne() {
    cluster.pods().create("p", "nowhere");
    proxy.inject(Fault.answer(409).on("patch", "pods/status").times(1));
    KubernetesClient through = through();

    assertThatThrownBy(() -> patchStatus(through, "p"))
        .isInstanceOfSatisfying(
            KubernetesClientException.class,
            e -> assertThat(e.getStatus().getReason()).isEqualTo("Conflict"));
    patchStatus(through, "p");

    assertThat(cluster.pods().list().get(0).getStatus().getPhase()).isEqualTo("Running");
  }

  @Test
  void aLostAnswerIsOfAPatchThatWasMade() {
    cluster.pods().create("p", "nowhere");
    proxy.inject(Fault.loseAnswer().on("patch", "pods/status").times(1));
    KubernetesClient through = through();

    patchStatus(through, "p"); // the client retries by itself

    assertThat(proxy.traffic().count("patch", "pods/status")).isEqualTo(2);
    assertThat(cluster.pods().list().get(0).getStatus().getPhase()).isEqualTo("Running");
  }

  private KubernetesClient through() {
    return cluster.closeAfterTest(TestCluster.connect(proxy.kubeconfig()));
  }

  private void patchStatus(KubernetesClient client, String name) {
    client
        .pods()
        .inNamespace(cluster.namespace())
        .resource(new PodBuilder().withNewMetadata().withName(name).endMetadata().build())
        .subresource("status")
        .patch(PatchContext.of(PatchType.STRATEGIC_MERGE), RUNNING);
  }
}
