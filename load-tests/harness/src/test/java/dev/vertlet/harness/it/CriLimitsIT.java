package dev.vertlet.harness.it;

import static dev.vertlet.harness.it.TestPods.spec;
import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.Waits;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pods that take more of the machine than they may. */
@ClusterTest(controllers = true)
@Needs(Tool.CONTAINERS)
@Tag("containers")
@Tag("X10")
class CriLimitsIT {
  private static final String NODE = "cri-limits";

  @TempDir private Path folder;

  private final ContainerLab lab = new ContainerLab();

  /**
   * @param pod more fields of the pod, each with a comma behind it
   * @param container more fields of the container, likewise
   */
  private static Pod create(
      TestCluster cluster, String name, String pod, String container, String script) {
    return cluster.create(
        name,
        NODE,
        spec(
            "{terminationGracePeriodSeconds: 0, "
                + pod
                + "containers: [{name: main, image: '"
                + ContainerLab.BUSYBOX
                + "', "
                + container
                + "command: [sh, -c, '"
                + script
                + "']}]}"));
  }

  private static void awaitReady(TestCluster cluster, String pod) {
    cluster.kubectl("wait", "--for=condition=Ready", "pod/" + pod, KubectlRuns.LIMIT);
  }

  private static ContainerStatus status(TestCluster cluster, String pod) {
    return TestPods.firstContainer(cluster.pods().get(pod));
  }

  private static String diskPressure(TestCluster cluster) {
    return cluster.field(
        "node", NODE, "{.status.conditions[?(@.type==\"DiskPressure\")]['status','reason']}");
  }

  /** Makes a folder a file system of its own, of which containers use up all. */
  private static void mount(TestCluster cluster, Path folder, String size) throws Exception {
    Files.createDirectory(folder);
    run("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", folder.toString());
    cluster.closeAfterTest(() -> run("umount", "--lazy", folder.toString()));
  }

  private static void run(String... command) throws Exception {
    assertThat(Waits.exit(new ProcessBuilder(command).inheritIO().start())).isZero();
  }

  @Test
  void aPodThatFillsTheDiskIsEvictedAndTheOthersRunOn(TestCluster cluster) throws Exception {
    Path data = folder.resolve("data");
    mount(cluster, data, "64m");
    JsonObject config = lab.config(NODE, data);
    config
        .getJsonArray("nodes")
        .getJsonObject(0)
        .put("evictionHard", new JsonObject().put("nodefs.available", "32Mi"))
        .put("evictionPressureTransitionPeriod", "1s");
    lab.start(cluster, config);
    create(cluster, "modest", "", "", "exec sleep 1000");
    awaitReady(cluster, "modest");
    String modest = status(cluster, "modest").getContainerID();
    create(
        cluster,
        "greedy",
        "volumes: [{name: v, emptyDir: {}}], ",
        "volumeMounts: [{name: v, mountPath: /v}], ",
        "dd if=/dev/zero of=/v/full bs=1M count=1000; exec sleep 1000");

    eventually(
        () ->
            assertThat(cluster.field("pod", "greedy", "{.status['phase','reason']}"))
                .isEqualTo("Failed Evicted"));
    String message = cluster.pods().get("greedy").getStatus().getMessage();
    assertThat(message)
        .matches(
            "The node was low on resource: ephemeral-storage\\. Threshold quantity: 32Mi,"
                + " available: \\d+(Ki)?\\. (Container main was using \\d+Ki, request is 0, has larger"
                + " consumption of ephemeral-storage\\. )?");
    assertThat(
            cluster.kubectl(
                "get",
                "events",
                "--field-selector=involvedObject.name=greedy,reason=Evicted",
                "-o",
                "jsonpath={.items[*].message}"))
        .isEqualTo(message);
    // the volume goes with the pod: there is room again
    eventually(() -> assertThat(diskPressure(cluster)).isEqualTo("False KubeletHasNoDiskPressure"));
    create(cluster, "later", "", "", "exec sleep 1000");
    awaitReady(cluster, "later");
    assertThat(status(cluster, "modest").getContainerID()).isEqualTo(modest);
    assertThat(status(cluster, "modest").getRestartCount()).isZero();
  }

  @Test
  void aForkBombEndsAtItsPodsLimit(TestCluster cluster) throws Exception {
    JsonObject config = lab.config(NODE, folder.resolve("data"));
    ContainerLab.settings(config).put("podPidsLimit", 32);
    lab.start(cluster, config);
    create(cluster, "quiet", "", "", "exec sleep 1000");
    awaitReady(cluster, "quiet");
    Pod bomb =
        create(
            cluster,
            "bomb",
            "",
            "resources: {limits: {cpu: 300m}}, ",
            "fork() { fork | fork & }; fork; exec sleep 1000");
    String uid = bomb.getMetadata().getUid();

    eventually(() -> assertThat(lab.refusedForks(uid)).isPositive());
    Path group = lab.group("pids", uid);
    assertThat(group.resolve("pids.max")).hasContent("32");
    assertThat(Integer.parseInt(Files.readString(group.resolve("pids.current")).strip()))
        .isBetween(1, 32);
    assertThat(cluster.kubectl("exec", "quiet", "--", "sh", "-c", "echo it forks | cat"))
        .isEqualTo("it forks\n");
    assertThat(cluster.isReady(NODE)).isTrue();
    create(cluster, "later", "", "", "sleep 0; exec sleep 1000");
    awaitReady(cluster, "later");
    cluster.kubectl("delete", "pod", "bomb", "--wait=true", KubectlRuns.LIMIT);
    eventually(() -> assertThat(lab.traces()).noneMatch(trace -> trace.contains(uid)));
  }
}
