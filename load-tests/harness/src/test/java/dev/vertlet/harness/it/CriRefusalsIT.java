package dev.vertlet.harness.it;

import static dev.vertlet.harness.it.TestPods.spec;
import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pods that ask for what provider {@code cri} does not have: they wait, and an event says why. */
@ClusterTest(controllers = true)
@Needs(Tool.CONTAINERS)
@Tag("containers")
class CriRefusalsIT {
  private static final String NODE = "cri-refusals";

  @TempDir private Path folder;

  private final ContainerLab lab = new ContainerLab();

  /**
   * @param pod fields of the pod, each with a comma behind it
   * @param container fields of its container, likewise
   */
  private static void create(TestCluster cluster, String name, String pod, String container) {
    cluster.create(
        name,
        NODE,
        spec(
            "{terminationGracePeriodSeconds: 0, "
                + pod
                + "containers: [{name: main, image: '"
                + ContainerLab.BUSYBOX
                + "', "
                + container
                + "command: [sleep, '1000']}]}"));
  }

  private static void isTold(TestCluster cluster, String pod, String reason, String message) {
    eventually(
        () ->
            assertThat(
                    cluster.kubectl(
                        "get",
                        "events",
                        "--field-selector=type=Warning,involvedObject.name=" + pod,
                        "-o",
                        "jsonpath={range .items[*]}{.reason}: {.message}{\"\\n\"}{end}"))
                .contains(reason + ": ")
                .contains(message));
    assertThat(cluster.field("pod", pod, "{.status.phase}")).isEqualTo("Pending");
  }

  private static String mounting(String volume) {
    return "volumes: [{name: v, " + volume + "}], ";
  }

  @Test
  void aPodWaitsWithAKubeletsReasonAndTheOthersRun(TestCluster cluster) throws Exception {
    lab.start(cluster, lab.config(NODE, folder.resolve("data")));
    String mount = "volumeMounts: [{name: v, mountPath: /v}], ";
    create(cluster, "csi", mounting("csi: {driver: csi.example.com}"), mount);
    create(cluster, "image", mounting("image: {reference: 'registry.example.com/data:1'}"), mount);
    create(cluster, "nfs", mounting("nfs: {server: 192.0.2.1, path: /}"), mount);
    create(cluster, "claim", mounting("persistentVolumeClaim: {claimName: data}"), mount);
    create(
        cluster,
        "block",
        mounting("persistentVolumeClaim: {claimName: data}"),
        "volumeDevices: [{name: v, devicePath: /dev/v}], ");
    create(cluster, "user", "hostUsers: false, ", "");
    create(cluster, "plain", "", "");

    String plugin =
        "failed to get Plugin from volumeSpec for volume \"v\" err=no volume plugin matched";
    isTold(cluster, "csi", "FailedMount", plugin);
    isTold(cluster, "image", "FailedMount", plugin);
    isTold(cluster, "nfs", "FailedMount", plugin);
    isTold(
        cluster,
        "claim",
        "FailedMount",
        "Unable to attach or mount volumes: unmounted volumes=[v]");
    isTold(
        cluster,
        "block",
        "FailedMount",
        "Unable to attach or mount volumes: unmounted volumes=[v]");
    isTold(
        cluster,
        "user",
        "FailedCreatePodSandBox",
        "can't set `spec.hostUsers: false`, runtime does not support user namespaces");
    cluster.kubectl("wait", "--for=condition=Ready", "pod/plain", KubectlRuns.LIMIT);
  }
}
