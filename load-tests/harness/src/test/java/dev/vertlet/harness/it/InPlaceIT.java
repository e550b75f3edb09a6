package dev.vertlet.harness.it;

import static dev.vertlet.harness.it.TestPods.container;
import static dev.vertlet.harness.it.TestPods.spec;
import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.Quantity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pods that become others while they run, on a real API server. */
@ClusterTest
class InPlaceIT {

  @TempDir private Path folder;

  private void start(TestCluster cluster, String node) throws IOException {
    String json =
        """
        {"nodes": [{"name": "%s", "capacity": {"cpu": "4", "memory": "4Gi", "pods": "20"}}]}
        """
            .formatted(node);
    Path config = Files.writeString(folder.resolve("vertlet.json"), json);
    cluster.agent(AgentProcess.Setup.of(folder, config, cluster.agentKubeconfig()));
  }

  private static UnaryOperator<PodBuilder> asking(String cpu, String memory) {
    String amounts = "{cpu: %s, memory: %s}".formatted(cpu, memory);
    return pod ->
        container("resources: {requests: %1$s, limits: %1$s}".formatted(amounts))
            .apply(spec("terminationGracePeriodSeconds: 1").apply(pod));
  }

  private static Pod running(TestCluster cluster, String name) {
    eventually(
        () ->
            assertThat(condition(cluster.pods().get(name), "Ready"))
                .hasValueSatisfying(c -> assertThat(c.getStatus()).isEqualTo("True")));
    return cluster.pods().get(name);
  }

  private static Optional<PodCondition> condition(Pod pod, String type) {
    return pod.getStatus().getConditions().stream()
        .filter(condition -> condition.getType().equals(type))
        .findFirst();
  }

  private static ContainerStatus main(Pod pod) {
    return TestPods.firstContainer(pod);
  }

  private static void resize(TestCluster cluster, String pod, String cpu, String memory) {
    String amounts = "{\"cpu\":\"%s\",\"memory\":\"%s\"}".formatted(cpu, memory);
    cluster.kubectl(
        "patch",
        "pod",
        pod,
        "--subresource",
        "resize",
        "-p",
        "{\"spec\":{\"containers\":[{\"name\":\"main\",\"resources\":{\"requests\":%s,\"limits\":%s}}]}}"
            .formatted(amounts, amounts));
  }

  private static void resized(TestCluster cluster, String name, String cpu, String memory) {
    eventually(
        () -> {
          Pod pod = cluster.pods().get(name);
          assertThat(condition(pod, "PodResizePending")).isEmpty();
          assertThat(condition(pod, "PodResizeInProgress")).isEmpty();
          Map<String, Quantity> amounts =
              Map.of("cpu", new Quantity(cpu), "memory", new Quantity(memory));
          assertThat(main(pod).getAllocatedResources()).isEqualTo(amounts);
          assertThat(main(pod).getResources().getRequests()).isEqualTo(amounts);
          assertThat(main(pod).getResources().getLimits()).isEqualTo(amounts);
        });
  }

  private static void pending(TestCluster cluster, String name, String message) {
    eventually(
        () ->
            assertThat(condition(cluster.pods().get(name), "PodResizePending"))
                .hasValueSatisfying(
                    c -> {
                      assertThat(c.getReason()).isEqualTo("Deferred");
                      assertThat(c.getMessage()).isEqualTo(message);
                    }));
  }

  @Test
  @Tag("B47")
  void b47AnImageIsSwappedInThatContainerAlone(TestCluster cluster) throws IOException {
    start(cluster, "swap");
    cluster.create(
        "p",
        "swap",
        pod ->
            pod.editSpec()
                .addNewContainer()
                .withName("other")
                .withImage("registry.k8s.io/pause:3.10")
                .endContainer()
                .endSpec());
    Pod before = running(cluster, "p");

    cluster.kubectl("set", "image", "pod/p", "main=registry.k8s.io/pause:3.9");

    eventually(
        () -> {
          Pod now = cluster.pods().get("p");
          assertThat(now.getStatus().getObservedGeneration()).isEqualTo(2);
          assertThat(condition(now, "Ready").orElseThrow().getStatus()).isEqualTo("True");
        });
    Pod after = cluster.pods().get("p");
    assertThat(after.getMetadata().getUid()).isEqualTo(before.getMetadata().getUid());
    assertThat(after.getStatus().getPodIPs()).isEqualTo(before.getStatus().getPodIPs());
    assertThat(after.getStatus().getStartTime()).isEqualTo(before.getStatus().getStartTime());
    assertThat(after.getStatus().getQosClass()).isEqualTo(before.getStatus().getQosClass());
    assertThat(after.getStatus().getContainerStatuses().get(1))
        .isEqualTo(before.getStatus().getContainerStatuses().get(1));
    assertThat(main(after).getRestartCount()).isEqualTo(1);
    assertThat(main(after).getImage()).isEqualTo("registry.k8s.io/pause:3.9");
    assertThat(main(after).getImageID()).isNotEqualTo(main(before).getImageID());
    assertThat(main(after).getContainerID()).isNotEqualTo(main(before).getContainerID());
  }

  /** Also B65, as the server asks what the pod's containers have. */
  @Test
  @Tag("B60")
  @Tag("B65")
  void b60CpuIsResizedWhileTheContainerRuns(TestCluster cluster) throws IOException {
    start(cluster, "live");
    cluster.create("p", "live", asking("1", "100Mi"));
    Pod before = running(cluster, "p");

    resize(cluster, "p", "2", "100Mi");

    resized(cluster, "p", "2", "100Mi");
    assertThat(main(cluster.pods().get("p")).getContainerID())
        .isEqualTo(main(before).getContainerID());
    assertThat(main(cluster.pods().get("p")).getRestartCount()).isZero();
    eventually(
        () ->
            assertThat(cluster.kubectl("describe", "pod", "p"))
                .containsPattern("Normal +ResizeStarted +.*kubelet .*Pod resize started: \\{")
                .containsPattern("Normal +ResizeCompleted +.*kubelet .*Pod resize completed: \\{"));
  }

  @Test
  @Tag("B61")
  void b61MemoryIsResizedByARestartWhereThePolicySaysSo(TestCluster cluster) throws IOException {
    start(cluster, "anew");
    cluster.create(
        "p",
        "anew",
        asking("1", "100Mi"),
        container("resizePolicy: [{resourceName: memory, restartPolicy: RestartContainer}]"));
    Pod before = running(cluster, "p");

    resize(cluster, "p", "1", "200Mi");

    resized(cluster, "p", "1", "200Mi");
    Pod after = cluster.pods().get("p");
    assertThat(main(after).getRestartCount()).isEqualTo(1);
    assertThat(after.getMetadata().getUid()).isEqualTo(before.getMetadata().getUid());
    assertThat(after.getStatus().getPodIPs()).isEqualTo(before.getStatus().getPodIPs());
  }

  /** Also B64: of the two that wait, the one of higher priority is served. */
  @Test
  @Tag("B62")
  @Tag("B64")
  void b62WhoWaitsIsServedWhenAnotherHasGone(TestCluster cluster) throws IOException {
    start(cluster, "full");
    cluster.kubectl("create", "priorityclass", "in-place-ten", "--value=10");
    cluster.create("other", "full", asking("2", "100Mi"));
    cluster.create("b64-low", "full", asking("500m", "100Mi"));
    cluster.create(
        "b64-high", "full", asking("500m", "100Mi"), spec("priorityClassName: in-place-ten"));
    running(cluster, "other");
    running(cluster, "b64-low");
    running(cluster, "b64-high");

    resize(cluster, "b64-low", "3", "100Mi");
    pending(
        cluster,
        "b64-low",
        "Node didn't have enough resource: cpu, requested: 3000, used: 2500, capacity: 4000");
    resize(cluster, "b64-high", "3", "100Mi");
    pending(
        cluster,
        "b64-high",
        "Node didn't have enough resource: cpu, requested: 3000, used: 2500, capacity: 4000");
    cluster.kubectl("delete", "pod", "other");

    resized(cluster, "b64-high", "3", "100Mi");
    assertThat(condition(cluster.pods().get("b64-low"), "PodResizePending")).isPresent();
    assertThat(main(cluster.pods().get("b64-low")).getResources().getRequests().get("cpu"))
        .isEqualTo(new Quantity("500m"));
  }

  /** Since 1.36 the server refuses it before any node hears of it; what was asked for stays out. */
  @Test
  @Tag("B63")
  void b63MoreThanTheNodeHasIsRefused(TestCluster cluster) throws IOException {
    start(cluster, "small");
    cluster.create("p", "small", asking("1", "100Mi"));
    running(cluster, "p");

    assertThatThrownBy(() -> resize(cluster, "p", "5", "100Mi"))
        .hasMessageContaining("node didn't have enough allocatable resources: cpu");

    resized(cluster, "p", "1", "100Mi");
  }
}
