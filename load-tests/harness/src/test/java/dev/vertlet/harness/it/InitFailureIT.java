package dev.vertlet.harness.it;

import static dev.vertlet.harness.it.TestPods.annotated;
import static dev.vertlet.harness.it.TestPods.spec;
import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.FullRing;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pods whose init container fails, on a real API server, as people see them. */
@ClusterTest
class InitFailureIT {

  @TempDir private Path folder;

  /**
   * A pod with the init container {@code setup}, which ends at once.
   *
   * @param exitCode of each of its instances
   */
  private static void create(TestCluster cluster, String node, String restart, int exitCode) {
    cluster.create(
        "p",
        node,
        annotated("setup.run-for", "1s"),
        annotated("setup.exit-code", Integer.toString(exitCode)),
        spec(
            "{restartPolicy: %s, initContainers: [{name: setup, image: \"registry.example/setup:1\"}]}"
                .formatted(restart)));
  }

  private static Pod pod(TestCluster cluster) {
    return cluster.pods().list().get(0);
  }

  private static String condition(TestCluster cluster, String type) {
    return cluster.kubectl(
        "get",
        "pod",
        "p",
        "-o",
        "jsonpath={range .status.conditions[?(@.type==\"%s\")]}{.status} {.reason} {.message}{end}"
            .formatted(type));
  }

  private static void mainNeverRan(TestCluster cluster) {
    ContainerStatus main = TestPods.firstContainer(pod(cluster));
    assertThat(main.getRestartCount()).isZero();
    assertThat(main.getState().getWaiting().getReason()).isEqualTo("PodInitializing");
    assertThat(main.getContainerID()).isNullOrEmpty();
  }

  @FullRing
  @Test
  void anInitContainerThatFailsIsTriedAgainAndBacksOff(TestCluster cluster) {
    cluster.agent(folder, "again");
    create(cluster, "again0", "Always", 3);

    cluster.shows("p +0/1 +Init:Error +", "get", "pod", "p");
    cluster.shows("p +0/1 +Init:CrashLoopBackOff +[2-9]", "get", "pod", "p");

    mainNeverRan(cluster);
    Pod pod = pod(cluster);
    assertThat(pod.getStatus().getPhase()).isEqualTo("Pending");
    ContainerStatus setup = pod.getStatus().getInitContainerStatuses().get(0);
    assertThat(setup.getLastState().getTerminated().getExitCode()).isEqualTo(3);
    assertThat(setup.getLastState().getTerminated().getReason()).isEqualTo("Error");
    assertThat(condition(cluster, "Initialized"))
        .isEqualTo("False ContainersNotInitialized containers with incomplete status: [setup]");
    assertThat(condition(cluster, "Ready"))
        .isEqualTo("False ContainersNotReady containers with unready status: [main]");
    eventually(
        () ->
            assertThat(cluster.kubectl("describe", "pod", "p"))
                .containsPattern("Last State: +Terminated\n +Reason: +Error\n +Exit Code: +3")
                .containsPattern(
                    "Warning +BackOff +.*kubelet .*Back-off restarting failed container setup in"
                        + " pod p_"));
  }

  @Test
  void anInitContainerThatFailsWhereNothingIsRestartedFailsItsPod(TestCluster cluster) {
    cluster.agent(folder, "never");
    create(cluster, "never0", "Never", 4);

    eventually(() -> assertThat(pod(cluster).getStatus().getPhase()).isEqualTo("Failed"));

    cluster.shows("p +0/1 +Init:Error +0 ", "get", "pod", "p");
    mainNeverRan(cluster);
    ContainerStatus setup = pod(cluster).getStatus().getInitContainerStatuses().get(0);
    assertThat(setup.getState().getTerminated().getExitCode()).isEqualTo(4);
    assertThat(List.of(condition(cluster, "Initialized").split(" ")).subList(0, 2))
        .containsExactly("False", "ContainersNotInitialized");
    assertThat(cluster.kubectl("describe", "pod", "p"))
        .containsPattern("State: +Terminated\n +Reason: +Error\n +Exit Code: +4");
  }

  @Test
  void aPodWhoseInitContainerSucceedsRuns(TestCluster cluster) {
    cluster.agent(folder, "well");
    create(cluster, "well0", "Always", 0);

    cluster.shows("p +1/1 +Running +0 ", "get", "pod", "p");
    assertThat(condition(cluster, "Initialized")).startsWith("True");
  }
}
