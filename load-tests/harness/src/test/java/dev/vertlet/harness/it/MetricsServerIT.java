package dev.vertlet.harness.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.vertlet.harness.cluster.ControlPlaneException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What metrics-server reads of nodes, and who uses it: kubectl and the autoscaler of pods. */
@ClusterTest(
    own = true,
    controllers = true,
    controllerManagerFlags = {
      "--horizontal-pod-autoscaler-sync-period=5s",
      "--horizontal-pod-autoscaler-cpu-initialization-period=10s",
      "--horizontal-pod-autoscaler-initial-readiness-delay=5s"
    })
class MetricsServerIT {
  private static final Duration PATIENCE = Duration.ofSeconds(180);

  private static final String CONFIG =
      """
      {"nodes": [{"name": "measured{i}", "count": 2, "taints": [],
        "capacity": {"cpu": "10", "memory": "10Gi", "pods": "110"}}],
       "simulated": {"rules": [{"name": "load", "selector": {"matchLabels": {"app": "web"}},
        "cpuUsage": "ramp(10%,90%,20s)"}]}}
      """;

  private static final String MANIFEST =
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: steady
        annotations:
          sim.vertlet.dev/cpu-usage: 250m
          sim.vertlet.dev/memory-usage: 200Mi
      spec:
        nodeName: measured0
        containers: [{name: main, image: "example.com/main:1"}]
      ---
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        replicas: 1
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec:
            containers:
              - name: main
                image: example.com/web:1
                resources: {requests: {cpu: 100m}}
      ---
      apiVersion: autoscaling/v2
      kind: HorizontalPodAutoscaler
      metadata: {name: web}
      spec:
        scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
        minReplicas: 1
        maxReplicas: 4
        metrics:
          - type: Resource
            resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}
      """;

  @TempDir private static Path folder;

  private static TestCluster cluster;

  @BeforeAll
  static void start(TestCluster shared) throws Exception {
    cluster = shared;
    Path config = Files.writeString(folder.resolve("vertlet.json"), CONFIG);
    AgentProcess agent =
        cluster.closeAfterTest(
            AgentProcess.Setup.of(folder, config, cluster.agentKubeconfig())
                .with("--set", "server.portRange=0", "--set", "server.healthzPort=0")
                .start());
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(agent.ready()).isTrue());
    Path manifest = Files.writeString(folder.resolve("measured.yaml"), MANIFEST);
    cluster.kubectl("apply", "-f", manifest.toString());
    String address = cluster.kubectl("get", "node", "measured0", "-o", OutsideAddress.JSON_PATH);
    cluster.closeAfterTest(
        MetricsServer.start(
            cluster,
            Files.createDirectory(folder.resolve("metrics-server")),
            OutsideAddress.of(address)));
  }

  private static ConditionFactory eventually() {
    return await()
        .atMost(PATIENCE)
        .ignoreExceptionsMatching(ControlPlaneException.class::isInstance);
  }

  /** The words of the line that begins with this one; fails while there is none. */
  private static List<String> row(String first, String... arguments) {
    String table = cluster.kubectl(arguments);
    return table
        .lines()
        .map(line -> Arrays.asList(line.strip().split("\\s+")))
        .filter(words -> words.get(0).equals(first))
        .findFirst()
        .orElseThrow(() -> new AssertionError(first + " is not in\n" + table));
  }

  private static int number(String text, String unit) {
    assertThat(text).endsWith(unit);
    return Integer.parseInt(text.substring(0, text.length() - unit.length()));
  }

  @Test
  void topTellsWhatPodsAndNodesTake() {
    eventually()
        .untilAsserted(
            () -> {
              List<String> pod = row("steady", "top", "pods", "--no-headers");
              assertThat(number(pod.get(1), "m")).isCloseTo(250, within(5));
              assertThat(pod.get(2)).isEqualTo("200Mi");
            });
    List<String> container = row("steady", "top", "pod", "steady", "--containers", "--no-headers");
    assertThat(container.get(1)).isEqualTo("main");
    assertThat(number(container.get(2), "m")).isCloseTo(250, within(5));

    List<String> busy = row("measured0", "top", "nodes", "--no-headers");
    assertThat(number(busy.get(1), "m")).isGreaterThanOrEqualTo(245);
    assertThat(number(busy.get(2), "%")).isGreaterThanOrEqualTo(2);
    assertThat(number(busy.get(3), "Mi")).isGreaterThanOrEqualTo(200);
    List<String> other = row("measured1", "top", "node", "measured1", "--no-headers");
    assertThat(number(other.get(1), "m")).isPositive();
  }

  @Test
  void anAutoscalerAddsPodsToABusyDeployment() {
    String ready = "jsonpath={.status.readyReplicas}";

    eventually()
        .untilAsserted(
            () ->
                assertThat(cluster.kubectl("get", "deployment", "web", "-o", ready))
                    .matches("[2-4]"));

    assertThat(
            cluster.kubectl(
                "get",
                "events",
                "--field-selector=reason=SuccessfulRescale,involvedObject.name=web",
                "-o",
                "jsonpath={.items[*].message}"))
        .contains("reason: cpu resource utilization (percentage of request) above target");
  }
}
