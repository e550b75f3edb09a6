package dev.vertlet.harness.it;

import static dev.vertlet.harness.it.TestPods.annotated;
import static dev.vertlet.harness.it.TestPods.container;
import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Probes, hooks and admission on a real API server, as people see them. */
@ClusterTest(controllers = true)
class PodHealthIT {
  private static final String READY = "jsonpath={.status.conditions[?(@.type==\"Ready\")].status}";

  @TempDir private Path folder;

  private static final String PROBE =
      "{httpGet: {path: /healthz, port: 8080}, periodSeconds: 1, failureThreshold: 1}";

  @Test
  @Tag("C25")
  void c25APodWhoseLivenessProbeFailsIsRestartedAndBacksOff(TestCluster cluster) {
    cluster.agent(folder, "live");
    cluster.create(
        "p",
        "live0",
        annotated("liveness-probe", "ok 1x, fail"),
        container("livenessProbe: " + PROBE));

    cluster.shows("p +0/1 +CrashLoopBackOff +[2-9]", "get", "pod", "p");
    eventually(
        () ->
            assertThat(cluster.kubectl("describe", "pod", "p"))
                .containsPattern(
                    "Warning +Unhealthy +.*kubelet .*Liveness probe failed: HTTP probe failed"
                        + " with statuscode: 500")
                .containsPattern(
                    "Normal +Killing +.*kubelet .*Container main failed liveness probe, will"
                        + " be restarted")
                .containsPattern(
                    "Warning +BackOff +.*kubelet .*Back-off restarting failed container main"));
    assertThat(cluster.field("pod", "p", "{.status.phase}")).isEqualTo("Running");
  }

  @Test
  void aReadinessProbeTakesAPodOutAndBringsItBack(TestCluster cluster) {
    cluster.agent(folder, "flip");
    cluster.create(
        "p",
        "flip0",
        annotated("readiness-probe", "ok 5s, fail 5s, ok"),
        container("readinessProbe: " + PROBE));

    for (String ready : List.of("True", "False", "True")) {
      cluster.tells(ready, "get", "pod", "p", "-o", READY);
    }
    assertThat(cluster.field("pod", "p", "{.status.containerStatuses[0].restartCount}"))
        .isEqualTo("0");
  }

  @Test
  @Tag("C39")
  void c39APodLargerThanItsNodeIsRefusedAsAKubeletRefusesIt(TestCluster cluster) {
    cluster.agent(folder, "full");
    cluster.create("p", "full0", container("resources: {requests: {cpu: 1001}}"));

    String message =
        "Node didn't have enough resource: cpu, requested: 1001000, used: 0, capacity: 1000000";
    cluster.shows("p +0/1 +OutOfcpu +0", "get", "pod", "p");
    Pod pod = cluster.pods().list().get(0);
    assertThat(pod.getStatus().getPhase()).isEqualTo("Failed");
    assertThat(pod.getStatus().getMessage()).isEqualTo("Pod was rejected: " + message);
    assertThat(pod.getStatus().getContainerStatuses()).isEmpty();
    cluster.shows("Warning +OutOfcpu +.*kubelet +" + message, "describe", "pod", "p");

    cluster.kubectl("delete", "pod", "p");
    assertThat(cluster.pods().list()).isEmpty();
  }

  @Test
  void aPodWhoseAnnotationCannotBeObeyedIsRefusedInTheSameWay(TestCluster cluster) {
    cluster.agent(folder, "odd");
    cluster.create("p", "odd0", annotated("run-for", "no duration"));

    cluster.shows("p +0/1 +InvalidAnnotation +0", "get", "pod", "p");
    Pod pod = cluster.pods().list().get(0);
    assertThat(pod.getStatus().getPhase()).isEqualTo("Failed");
    assertThat(pod.getStatus().getMessage())
        .startsWith("Pod was rejected: annotation simulated.vertlet.dev/run-for=\"no duration\": ");
    assertThat(pod.getStatus().getContainerStatuses()).isEmpty();
  }

  @Test
  @Tag("C33")
  void c33APreStopSleepIsWaitedFor(TestCluster cluster) {
    cluster.agent(folder, "hook");
    cluster.create("p", "hook0", container("lifecycle: {preStop: {sleep: {seconds: 5}}}"));
    cluster.tells("True", "get", "pod", "p", "-o", READY);

    assertThat(cluster.pods().deleteAndAwaitEnd("p")).isGreaterThanOrEqualTo(Duration.ofSeconds(5));
    eventually(() -> assertThat(cluster.pods().list()).isEmpty());
  }
}
