package dev.vertlet.harness.it;

import static dev.vertlet.harness.it.TestPods.spec;
import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerState;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Containers that end from outside. */
@ClusterTest(controllers = true)
@Needs(Tool.CONTAINERS)
@Tag("containers")
class CriEndsIT {
  private static final String NODE = "cri-ends";
  private static final int PODS = 20;

  @TempDir private Path folder;

  private final ContainerLab lab = new ContainerLab();

  private static ContainerState state(TestCluster cluster, String pod) {
    return TestPods.firstContainer(cluster.pods().get(pod)).getState();
  }

  /** The agent lists every 30 s: by lists alone the ends would take ten minutes. */
  @Test
  @Tag("X04")
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void endsOneAfterAnotherAreReportedByEvents(TestCluster cluster) throws Exception {
    lab.start(cluster, lab.config(NODE, folder.resolve("data")));
    cluster
        .pods()
        .createMany(
            "p",
            PODS,
            i -> NODE,
            spec(
                "{restartPolicy: Never, terminationGracePeriodSeconds: 0, containers: [{name: main,"
                    + " image: '"
                    + ContainerLab.BUSYBOX
                    + "', command: [sleep, '1000']}]}"));
    cluster.kubectl("wait", "--for=condition=Ready", "pods", "--all", "--timeout=180s");

    for (int i = 0; i < PODS; i++) {
      String pod = "p-" + i;
      lab.killContainer(TestPods.firstContainer(cluster.pods().get(pod)).getContainerID());
      eventually(() -> assertThat(state(cluster, pod).getTerminated()).isNotNull());
      assertThat(state(cluster, pod).getTerminated().getExitCode()).isEqualTo(137);
      assertThat(state(cluster, pod).getTerminated().getReason()).isEqualTo("Error");
      eventually(
          () -> assertThat(cluster.field("pod", pod, "{.status.phase}")).isEqualTo("Failed"));
    }
  }
}
