package dev.vertlet.harness.it;

import static dev.vertlet.harness.it.TestPods.container;
import static dev.vertlet.harness.it.TestPods.spec;
import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What annotations let happen to pods, as kubectl shows it. */
@ClusterTest
class SimulatedIT {
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final String NODE = "sim0";

  @TempDir private Path folder;
  private TestCluster cluster;

  @BeforeEach
  void start(TestCluster given) {
    cluster = given;
    cluster.agent(cluster.agentSetup(folder, "sim"));
  }

  /** Each with an image of its own, as one that is there is not pulled. */
  private void create(String name, Map<String, String> annotations) {
    cluster.create(
        name,
        NODE,
        pod -> pod.editMetadata().addToAnnotations(annotations).endMetadata(),
        spec("restartPolicy: Never"),
        container("image: registry.example/" + name + ":1"));
  }

  @Test
  void whatFailsIsShownAsOnAKubelet() {
    create("leaking", Map.of("sim.vertlet.dev/oom-after", "1s"));
    create("failing", Map.of("sim.vertlet.dev/run-for", "1s", "sim.vertlet.dev/exit-code", "3"));
    create("imageless", Map.of("sim.vertlet.dev/pull-error", "manifest unknown"));
    create("lonely", Map.of("sim.vertlet.dev/sandbox-error", "failed to set up network"));

    cluster.shows("leaking +0/1 +OOMKilled +0", "get", "pod", "leaking");
    cluster.shows("failing +0/1 +Error +0", "get", "pod", "failing");
    cluster.shows("Exit Code: +3", "describe", "pod", "failing");
    cluster.shows("imageless +0/1 +ImagePullBackOff +0", "get", "pod", "imageless");
    cluster.shows("Failed to pull image .*manifest unknown", "describe", "pod", "imageless");
    cluster.shows("lonely +0/1 +ContainerCreating +0", "get", "pod", "lonely");
    cluster.shows(
        "Warning +FailedCreatePodSandBox .*failed to set up network", "describe", "pod", "lonely");
  }

  /** States that take no time here. */
  @Test
  void eachStateOfAContainerIsSeenByAWatch() {
    List<String> seen = new CopyOnWriteArrayList<>();
    try (Watch watch =
        cluster.client().pods().inNamespace(cluster.namespace()).watch(new States(seen))) {
      cluster.create(
          "crashing",
          NODE,
          pod ->
              pod.editMetadata()
                  .addToAnnotations(
                      Map.of("sim.vertlet.dev/run-for", "1s", "sim.vertlet.dev/exit-code", "1"))
                  .endMetadata());

      eventually(
          () ->
              assertThat(seen)
                  .startsWith(
                      "ContainerCreating",
                      "running",
                      "Error",
                      "running",
                      "Error",
                      "CrashLoopBackOff"));
    }
  }

  /** Keeps each other state of the first container. */
  private record States(List<String> seen) implements Watcher<Pod> {
    @Override
    public void eventReceived(Action action, Pod pod) {
      for (ContainerStatus container : pod.getStatus().getContainerStatuses()) {
        String state = text(container.getState());
        if (seen.isEmpty() || !seen.get(seen.size() - 1).equals(state)) {
          seen.add(state);
        }
      }
    }

    private static String text(ContainerState state) {
      if (state.getWaiting() != null) {
        return state.getWaiting().getReason();
      }
      return state.getTerminated() == null ? "running" : state.getTerminated().getReason();
    }

    @Override
    public void onClose(WatcherException cause) {}
  }

  @Test
  void aPodWhoseContainerSurvivesItsKillHangsInItsTermination() {
    create(
        "stuck",
        Map.of("sim.vertlet.dev/stop-delay", "never", "sim.vertlet.dev/kill-delay", "10s"));
    cluster.shows("stuck +1/1 +Running", "get", "pod", "stuck");

    cluster.kubectl("delete", "pod", "stuck", "--grace-period=1", "--wait=false");

    cluster.shows("stuck +1/1 +Terminating", "get", "pod", "stuck");
    eventually(() -> assertThat(cluster.pods().list()).isEmpty());
  }
}
