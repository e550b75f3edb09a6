package dev.vertlet.harness.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.FullRing;
import java.nio.file.Files;
import java.nio.file.Path;
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
@FullRing
class MetricsServerIT {

  private static final String CONFIG =
      """
      {"nodes": [{"name": "measured{i}", "count": 2, "taints": [],
        "capacity": {"cpu": "10", "memory": "10Gi", "pods": "110"}}],
       "simulated": {"rules": [{"name": "load", "selector": {"matchLabels": {"app": "web"}},
        "cpuUsage": "ramp(10%,90%,20s)"}]}}
      """;

  private static final String MANIFEST =
      """
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
    cluster.agent(
        AgentProcess.Setup.of(folder, config, cluster.agentKubeconfig())
            .with("--set", "server.portRange=0", "--set", "server.healthzPort=0"));
    Path manifest =
        Files.writeString(
            folder.resolve("measured.yaml"), TopSteps.manifest("measured0") + "---\n" + MANIFEST);
    cluster.kubectl("apply", "-f", manifest.toString());
    String address = cluster.kubectl("get", "node", "measured0", "-o", OutsideAddress.JSON_PATH);
    cluster.closeAfterTest(
        MetricsServer.start(
            cluster,
            Files.createDirectory(folder.resolve("metrics-server")),
            OutsideAddress.of(address)));
  }

  @Test
  void topTellsWhatPodsAndNodesTake() throws Exception {
    new TopSteps(cluster::kubectl).check("measured0", "measured1");
  }

  @Test
  void anAutoscalerAddsPodsToABusyDeployment() {
    String ready = "jsonpath={.status.readyReplicas}";

    TopSteps.retrying()
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
