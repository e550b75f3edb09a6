package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.PodResource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Static pods and their mirrors, on a real API server. */
@ClusterTest
class StaticPodIT {

  @TempDir private Path folder;

  @Test
  @Tag("C68")
  void c68AFileRunsIsReplacedKeepsItsMirrorAndTakesThePodAlong(TestCluster cluster)
      throws IOException {
    mayCreateMirrors(cluster);
    Path manifests = Files.createDirectories(folder.resolve("manifests").resolve("static0"));
    AgentProcess agent = start(cluster, "static", folder.resolve("manifests/{node}"));
    PodResource mirror = mirror(cluster, "web-static0");

    Path file = manifests.resolve("web.yaml");
    Files.writeString(file, manifest(cluster, "web", "registry.k8s.io/pause:3.9"));
    Pod first = awaitRunning(mirror, "registry.k8s.io/pause:3.9", "");
    Map<String, String> annotations = first.getMetadata().getAnnotations();
    assertThat(annotations)
        .containsEntry("kubernetes.io/config.source", "file")
        .containsKey("kubernetes.io/config.seen")
        .containsEntry("kubernetes.io/config.mirror", annotations.get("kubernetes.io/config.hash"));
    assertThat(first.getMetadata().getOwnerReferences())
        .singleElement()
        .satisfies(
            owner -> {
              assertThat(owner.getKind()).isEqualTo("Node");
              assertThat(owner.getController()).isTrue();
            });
    // kubectl looks for events of the static pod, whose UID its mirror names
    eventually(
        () ->
            assertThat(cluster.kubectl("describe", "pod", "web-static0"))
                .contains("Node/static0", "Container started"));

    Files.writeString(file, manifest(cluster, "web", "registry.k8s.io/pause:3.10"));
    Pod second = awaitRunning(mirror, "registry.k8s.io/pause:3.10", first.getMetadata().getUid());

    mirror.delete();
    Pod third = awaitRunning(mirror, "registry.k8s.io/pause:3.10", second.getMetadata().getUid());
    assertIsStill(second, third);

    Files.delete(file);
    eventually(() -> assertThat(mirror.get()).isNull());
    eventually(() -> assertThat(agent.metric("kubelet_running_pods")).isZero());
  }

  /** C68 over restarts of the agent; C69 and C70 beside it. */
  @Test
  @Tag("C68")
  @Tag("C69")
  @Tag("C70")
  void aPodOnDiskSurvivesARestartAndOneTakenAwayMeanwhileGoes(TestCluster cluster)
      throws Exception {
    mayCreateMirrors(cluster);
    Path manifests = Files.createDirectories(folder.resolve("manifests"));
    Path file = manifests.resolve("web.yaml");
    Files.writeString(file, manifest(cluster, "web", "registry.k8s.io/pause:3.10"));
    Path broken = Files.writeString(manifests.resolve("broken.yaml"), "kind: [");
    Path secret =
        Files.writeString(
            manifests.resolve("secret.yaml"),
            manifest(cluster, "secret", "x\n      envFrom: [{secretRef: {name: s}}]"));
    AgentProcess agent = start(cluster, "disk", manifests);
    PodResource mirror = mirror(cluster, "web-disk0");
    Pod before = awaitRunning(mirror, "registry.k8s.io/pause:3.10", "");
    assertThat(agent.log())
        .contains(broken.toString(), "is neither YAML nor JSON at line 1")
        .contains(secret.toString(), "static pods may not reference secrets");
    eventually(
        () ->
            assertThat(cluster.kubectl("get", "events"))
                .contains("FailedValidation", "static pods may not reference secrets"));

    assertThat(agent.terminate()).isZero();
    AgentProcess next = start(cluster, "disk", manifests);
    eventually(() -> assertThat(next.metric("kubelet_running_pods")).isOne());
    Pod after = mirror.get();
    assertThat(after.getMetadata().getUid()).isEqualTo(before.getMetadata().getUid());
    assertIsStill(before, after);
    assertThat(next.metric("vertlet_simulated_container_starts_total")).isZero();

    assertThat(next.terminate()).isZero();
    Files.delete(file);
    AgentProcess last = start(cluster, "disk", manifests);
    eventually(() -> assertThat(mirror.get()).isNull());
    assertThat(last.metric("kubelet_running_pods")).isZero();
  }

  @Test
  @Tag("C45")
  void c45RunOnceRunsWhatCanRunAndNamesWhatCannot(TestCluster cluster) throws Exception {
    mayCreateMirrors(cluster);
    Node node = new NodeBuilder().withNewMetadata().withName("once0").endMetadata().build();
    cluster.client().resource(node).create();
    cluster.closeAfterTest(() -> cluster.client().resource(node).delete());
    Path manifests = Files.createDirectories(folder.resolve("manifests"));
    Files.writeString(
        manifests.resolve("web.yaml"), manifest(cluster, "web", "registry.k8s.io/pause:3.10"));
    Path broken = Files.writeString(manifests.resolve("broken.yaml"), "kind: [");
    AgentProcess.Setup setup = setup(cluster, "once", manifests).with("--runonce");

    AgentProcess partly = cluster.closeAfterTest(setup.start());

    assertThat(partly.exitCode()).isEqualTo(1);
    assertThat(partly.log())
        .contains(
            "running  " + cluster.namespace() + "/web-once0",
            "failed   " + broken + ": is neither YAML nor JSON",
            "vertlet: error running pods: [" + broken + "]");
    Pod first = mirror(cluster, "web-once0").get();
    assertThat(first.getStatus().getPhase()).isEqualTo("Running");

    Files.delete(broken);
    AgentProcess whole = cluster.closeAfterTest(setup.start());

    assertThat(whole.exitCode()).as(whole.log()).isZero();
    Pod second = mirror(cluster, "web-once0").get();
    assertThat(second.getStatus().getPhase()).isEqualTo("Running");
    assertThat(second.getMetadata().getUid()).isNotEqualTo(first.getMetadata().getUid());
  }

  /** The right that only agents with static pods need. */
  private static void mayCreateMirrors(TestCluster cluster) {
    String right = Manifests.STATIC_PODS.toString();
    cluster.controlPlane().kubectl("apply", "-k", right);
    cluster.closeAfterTest(() -> cluster.controlPlane().kubectl("delete", "-k", right));
  }

  private AgentProcess.Setup setup(TestCluster cluster, String name, Path manifests) {
    return cluster.agentSetup(folder, name).with("--set", "nodes.0.staticPodPath=" + manifests);
  }

  private AgentProcess start(TestCluster cluster, String name, Path manifests) {
    return cluster.agent(setup(cluster, name, manifests));
  }

  private static String manifest(TestCluster cluster, String name, String image) {
    return """
    apiVersion: v1
    kind: Pod
    metadata:
      name: %s
      namespace: %s
    spec:
      containers:
        - name: main
          image: %s
    """
        .formatted(name, cluster.namespace(), image);
  }

  private static PodResource mirror(TestCluster cluster, String name) {
    return cluster.client().pods().inNamespace(cluster.namespace()).withName(name);
  }

  /**
   * @param notUid of the mirror before, empty for none
   */
  private static Pod awaitRunning(PodResource mirror, String image, String notUid) {
    eventually(
        () -> {
          Pod pod = mirror.get();
          assertThat(pod).isNotNull();
          assertThat(pod.getMetadata().getUid()).isNotEqualTo(notUid);
          assertThat(pod.getSpec().getContainers().get(0).getImage()).isEqualTo(image);
          assertThat(pod.getMetadata().getDeletionTimestamp()).isNull();
          assertThat(pod.getStatus().getPhase()).isEqualTo("Running");
        });
    return mirror.get();
  }

  private static void assertIsStill(Pod before, Pod after) {
    assertThat(container(after).getContainerID()).isEqualTo(container(before).getContainerID());
    assertThat(container(after).getRestartCount()).isZero();
  }

  private static ContainerStatus container(Pod pod) {
    return TestPods.firstContainer(pod);
  }
}
