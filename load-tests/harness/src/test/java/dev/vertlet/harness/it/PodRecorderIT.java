package dev.vertlet.harness.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import org.junit.jupiter.api.Test;

@ClusterTest(own = true)
class PodRecorderIT {

  @Test
  void recordsOnOverARestartOfTheApiServer(TestCluster cluster) {
    PodRecorder recorder = cluster.recordPods();
    Pod kept = cluster.create("kept", "nowhere");
    Pod deleted = cluster.create("deleted", "nowhere");
    patch(cluster, "kept", "sim://1", 0);
    await().until(() -> recorder.ready().contains(uid(kept)));

    cluster.controlPlane().killApiServer();
    cluster.controlPlane().restartApiServer();
    cluster.client().pods().resource(deleted).withGracePeriod(0).delete();

    await().until(() -> recorder.gone().contains(uid(deleted)));
    assertThat(recorder.present()).containsExactly(uid(kept));
    assertThat(recorder.violations()).isEmpty();
  }

  @Test
  void findsAContainerThatWasStartedTwice(TestCluster cluster) {
    PodRecorder recorder = cluster.recordPods();
    cluster.create("p", "nowhere");

    patch(cluster, "p", "sim://1", 0);
    patch(cluster, "p", "sim://2", 1);

    await().until(() -> !recorder.startedTwice().isEmpty());
    assertThat(recorder.startedTwice())
        .singleElement()
        .asString()
        .startsWith("p, container main: ids [sim://1, sim://2]");
  }

  private static String uid(Pod pod) {
    return pod.getMetadata().getUid();
  }

  private static void patch(TestCluster cluster, String pod, String containerId, int restarts) {
    String status =
        """
        {"status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True",
           "lastTransitionTime": "2026-01-01T00:00:00Z"}],
         "containerStatuses": [{"name": "main", "image": "i", "imageID": "", "ready": true,
           "containerID": "%s", "restartCount": %d,
           "state": {"running": {"startedAt": "2026-01-01T00:00:00Z"}}}]}}
        """
            .formatted(containerId, restarts);
    cluster
        .client()
        .pods()
        .inNamespace(cluster.namespace())
        .resource(new PodBuilder().withNewMetadata().withName(pod).endMetadata().build())
        .subresource("status")
        .patch(PatchContext.of(PatchType.STRATEGIC_MERGE), status);
  }
}
