package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a kubelet does by single fields of pods, on a real API server, as people see it. */
@ClusterTest
class PodRulesIT {
  @TempDir private Path folder;

  private void start(TestCluster cluster, String node) {
    AgentProcess agent =
        cluster.closeAfterTest(
            AgentProcess.Setup.ofNodes(folder, node, 1, cluster.agentKubeconfig()).start());
    agent.awaitReady();
  }

  /**
   * A pod with one container.
   *
   * @param annotations as JSON, without their prefix's braces
   * @param pod more of its spec, as JSON
   * @param container more of its container, as JSON
   */
  private void create(
      TestCluster cluster, String node, String annotations, String pod, String container)
      throws IOException {
    Path file = folder.resolve("pod.json");
    Files.writeString(
        file,
        """
        {"apiVersion": "v1", "kind": "Pod",
         "metadata": {"name": "p", "annotations": {%s}},
         "spec": {"nodeName": "%s", "restartPolicy": "Never", %s
           "containers": [{"name": "c", "image": "example.org/app:1" %s}]}}
        """
            .formatted(annotations, node, pod, container));
    cluster.kubectl("apply", "-f", file.toString());
  }

  private static String shown(TestCluster cluster, String path) {
    return cluster.field("pod", "p", "{" + path + "}");
  }

  @Test
  void aContainerRestartsByItsOwnRule(TestCluster cluster) throws IOException {
    start(cluster, "rules");
    create(
        cluster,
        "rules0",
        """
        "sim.vertlet.dev/run-for": "2s", "sim.vertlet.dev/exit-code": "42"
        """,
        "",
        """
        , "restartPolicy": "Never", "restartPolicyRules": [
          {"action": "Restart", "exitCodes": {"operator": "In", "values": [42]}}]
        """);

    eventually(
        () ->
            assertThat(shown(cluster, ".status.containerStatuses[0].restartCount"))
                .isNotIn("", "0"));
    assertThat(shown(cluster, ".status.phase")).isEqualTo("Running");
  }

  @Test
  void aForbiddenSysctlIsRefused(TestCluster cluster) throws IOException {
    start(cluster, "sysctl");
    create(
        cluster,
        "sysctl0",
        "",
        """
        "securityContext": {"sysctls": [{"name": "kernel.msgmax", "value": "65536"}]},
        """,
        "");

    eventually(() -> assertThat(shown(cluster, ".status.phase")).isEqualTo("Failed"));
    assertThat(shown(cluster, ".status.reason")).isEqualTo("SysctlForbidden");
    assertThat(shown(cluster, ".status.message"))
        .isEqualTo("Pod was rejected: forbidden sysctl: \"kernel.msgmax\" not allowlisted");
  }

  @Test
  void aFailedContainerShowsTheEndOfItsLogAndItsMounts(TestCluster cluster) throws IOException {
    start(cluster, "silent");
    create(
        cluster,
        "silent0",
        """
        "sim.vertlet.dev/run-for": "10s", "sim.vertlet.dev/exit-code": "1",
        "sim.vertlet.dev/log-rate": "20/s"
        """,
        """
        "volumes": [{"name": "data", "emptyDir": {}}],
        """,
        """
        , "terminationMessagePolicy": "FallbackToLogsOnError",
        "volumeMounts": [{"name": "data", "mountPath": "/data", "readOnly": true}]
        """);

    eventually(() -> assertThat(shown(cluster, ".status.phase")).isEqualTo("Failed"));
    assertThat(shown(cluster, ".status.containerStatuses[0].state.terminated.message"))
        .contains("request ")
        .hasLineCount(80);
    assertThat(shown(cluster, ".status.containerStatuses[0].volumeMounts[?(@.name==\"data\")]"))
        .contains("\"mountPath\":\"/data\"")
        .contains("\"recursiveReadOnly\":\"Disabled\"");
  }

  @Test
  void statusesTellOfUsersOfResourcesOfPodsAndOfImagesOfNodes(TestCluster cluster)
      throws IOException {
    start(cluster, "fields");
    create(
        cluster,
        "fields0",
        "",
        """
        "securityContext": {"runAsUser": 1000, "runAsGroup": 3000, "fsGroup": 2000},
        """,
        """
        , "resources": {"requests": {"cpu": "100m", "memory": "64Mi"}, "limits": {"memory": "128Mi"}}
        """);

    eventually(() -> assertThat(shown(cluster, ".status.phase")).isEqualTo("Running"));
    assertThat(shown(cluster, ".status.containerStatuses[0].user.linux"))
        .isEqualTo("{\"gid\":3000,\"supplementalGroups\":[2000,3000],\"uid\":1000}");
    assertThat(shown(cluster, ".status.allocatedResources"))
        .isEqualTo("{\"cpu\":\"100m\",\"memory\":\"64Mi\"}");
    assertThat(shown(cluster, ".status.resources"))
        .isEqualTo(
            "{\"limits\":{\"memory\":\"128Mi\"},"
                + "\"requests\":{\"cpu\":\"100m\",\"memory\":\"64Mi\"}}");
    eventually(
        () ->
            assertThat(cluster.node("fields0").getStatus().getImages())
                .anySatisfy(
                    image ->
                        assertThat(image.getNames()).hasSize(2).endsWith("example.org/app:1")));
  }

  /** As {@code kubectl get events -w} shows them, in the order of their writes. */
  @Test
  void theEventsOfEachPodAreWrittenInTheirOrder(TestCluster cluster) {
    start(cluster, "told");
    cluster.pods().createMany("t", "told0", 20);

    eventually(
        () ->
            assertThat(reasons(cluster).values())
                .hasSize(20)
                .allSatisfy(
                    reasons ->
                        assertThat(reasons)
                            .isIn(
                                List.of("Pulled", "Created", "Started"),
                                List.of("Pulling", "Pulled", "Created", "Started"))));
  }

  /** By pod, in the order of their writes. */
  private static Map<String, List<String>> reasons(TestCluster cluster) {
    return cluster
        .client()
        .v1()
        .events()
        .inNamespace(cluster.namespace())
        .list()
        .getItems()
        .stream()
        .sorted(
            Comparator.comparingLong(
                event -> Long.parseLong(event.getMetadata().getResourceVersion())))
        .collect(
            groupingBy(
                event -> event.getInvolvedObject().getName(), mapping(Event::getReason, toList())));
  }
}
