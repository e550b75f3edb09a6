package dev.vertlet.harness.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vertlet.harness.load.LoadPlan;
import dev.vertlet.harness.result.RunJson;
import dev.vertlet.testsupport.FullRing;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Its namespace goes only where controllers run. */
@ClusterTest(controllers = true)
class LoadTestIT {

  @TempDir private Path dir;

  @Test
  @Tag("BenchmarkCreatePods")
  void measuresAndLeavesNothingBehind(TestCluster cluster) throws Exception {
    Path json = dir.resolve("report.json");

    Launcher.Outcome outcome = loadTest(cluster, "--nodes=2", "--pods=10", "--json=" + json);

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    JsonObject result = new JsonObject(Files.readString(json));
    assertThat(figure(result, "phases.up.ready")).isEqualTo(10);
    assertThat(figure(result, "phases.down.gone")).isEqualTo(10);
    assertThat(figure(result, "phases.up.create.p50_ms")).isPositive();
    assertThat(figure(result, "phases.up.cpu_ms")).isPositive();
    assertThat(figure(result, "resources.ready_mib")).isPositive();
    assertThat(figure(result, "node_flips")).isZero();
    assertThat(outcome.out()).contains("lease gaps", "verdict           passed");
    assertThat(leftovers(cluster)).isEmpty();
  }

  @Test
  void podsOfABackEndAreMeasuredBesideIt(TestCluster cluster) throws Exception {
    Path json = dir.resolve("remote.json");

    Launcher.Outcome outcome =
        Launcher.run(
            dir,
            "load-test",
            "--target=" + cluster.kubeconfig(),
            "--yes",
            "--subject=vertlet-remote",
            "--nodes=2",
            "--pods=10",
            "--json=" + json);

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    JsonObject result = new JsonObject(Files.readString(json));
    assertThat(figure(result, "phases.up.ready")).isEqualTo(10);
    assertThat(figure(result, "phases.down.gone")).isEqualTo(10);
    assertThat(leftovers(cluster)).isEmpty();
  }

  @FullRing
  @Test
  void aConfigIsRolledOut(TestCluster cluster) throws Exception {
    JsonObject result =
        passes(
            cluster,
            """
            {"nodes": 3, "phases": [
              {"name": "up", "create": {"pods": 6}},
              {"name": "assign", "rollout": {"kubelet": {"maxPods": 500}}},
              {"name": "edit", "rollout": {"kubelet": {"maxPods": 501}}}]}
            """);

    assertThat(figure(result, "phases.assign.updates")).isEqualTo(3);
    assertThat(figure(result, "phases.edit.updates")).isEqualTo(3);
    assertThat(figure(result, "phases.edit.seconds")).isPositive();
    assertThat(figure(result, "node_flips")).isZero();
    assertThat(figure(result, "pod_flips")).isZero();
  }

  @FullRing
  @Test
  void deploymentsComeAndGoThroughControllersAndScheduler(TestCluster cluster) throws Exception {
    JsonObject result =
        passes(
            cluster,
            """
            {"nodes": 2, "placement": "scheduled", "graceSeconds": 1,
             "phases": [
               {"name": "deploy", "deploy": {"deployments": 2, "replicas": 3}},
               {"name": "undeploy", "undeploy": {}}],
             "thresholds": [
               {"figure": "phases.deploy.create.count", "min": 6, "max": 6},
               {"figure": "phases.undeploy.delete.count", "min": 6, "max": 6}]}
            """);

    assertThat(figure(result, "phases.deploy.ready")).isEqualTo(6);
    assertThat(figure(result, "phases.deploy.create.p50_ms")).isPositive();
    assertThat(figure(result, "phases.undeploy.gone")).isEqualTo(6);
    assertThat(figure(result, "lost")).isZero();
  }

  @Test
  @FullRing // FaultProxyIT has each fault daily
  void faultsHappenAndNoPodIsLostButAThresholdIsNotMet() throws Exception {
    Path scenario =
        Files.writeString(
            dir.resolve("faults.json"),
            """
            {
              "nodes": 2,
              "phases": [
                { "name": "warm-up", "warmUp": true, "create": { "pods": 4, "lifetime": "1s" } },
                { "name": "churn", "create": { "pods": 60, "arrival": { "constant": 6 }, "lifetime": "1s" } },
                { "name": "update", "create": { "pods": 2 } }
              ],
              "faults": [
                { "at": "1s", "latency": { "by": "100ms", "verb": "patch", "for": "2s" } },
                { "at": "2s", "errors": { "code": 429, "retryAfter": "1s", "share": 0.5, "for": "2s" } },
                { "at": "3s", "cutWatches": {} },
                { "at": "4s", "restartSubject": { "down": "1s" } },
                { "at": "7s", "restartApiServer": { "down": "1s" } }
              ],
              "thresholds": [
                { "figure": "lost", "max": 0 },
                { "figure": "phases.churn.create.p50_ms", "max": 0.5 }
              ]
            }
            """);
    Path json = dir.resolve("faults-result.json");
    Path junit = dir.resolve("faults.xml");

    Launcher.Outcome outcome =
        Launcher.run(
            dir,
            "load-test",
            "--target=control-plane",
            "--scenario=" + scenario,
            "--traffic",
            "--json=" + json,
            "--junit=" + junit);

    assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(1);
    assertThat(json).as(outcome.err()).exists();
    JsonObject result = new JsonObject(Files.readString(json));
    assertThat(figure(result, "lost")).isZero();
    assertThat(figure(result, "phases.churn.gone")).isEqualTo(60);
    assertThat(figure(result, "traffic.requests_per_pod")).isPositive();
    assertThat(result.getJsonArray("faults").encode())
        .containsPattern("over: requests late by 100ms, of [1-9]\\d* requests")
        .containsPattern("over: requests answered with 429, of [1-9]\\d* requests")
        .containsPattern("watches cut: [1-9]")
        .contains(
            "subject killed",
            "subject started again",
            "API server killed",
            "API server serves again");
    assertThat(result.getJsonArray("outages")).hasSize(1);
    assertThat(figure(result, "outages.0.pods_s")).isNotNegative();
    assertThat(outcome.out()).contains("met: lost is 0", "NOT MET: phases.churn.create.p50_ms");
    assertThat(junit).content().contains("<failure");
  }

  @FullRing
  @Test
  void anyProgramIsMeasuredBesideAnother() throws Exception {
    Path json = dir.resolve("comparison.json");
    Path report = dir.resolve("report.html");

    Launcher.Outcome outcome =
        Launcher.run(
            dir,
            "load-test",
            "--nodes=2",
            "--pods=10",
            "--runs=1",
            "--subject=vertlet-in-process",
            "--compare=mine={home}/vertlet agent --kubeconfig {kubeconfig}"
                + " --set nodes.0.name={node_template} --set nodes.0.count={nodes}"
                + " --set server.address=127.0.0.1 --set server.port={port}"
                + " --set agent.dataDir={dir}/data",
            "--json=" + json,
            "--report=" + report);

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    JsonObject comparison = new JsonObject(Files.readString(json));
    assertThat(comparison.getJsonObject("medians").fieldNames())
        .containsExactly("vertlet-in-process", "mine");
    for (Object run : comparison.getJsonArray("runs")) {
      assertThat(figure((JsonObject) run, "phases.down.gone")).isEqualTo(10);
    }
    assertThat(outcome.out()).contains("mine", "create to Ready, p99");
    assertThat(outcome.out()).containsPattern("vertlet-in-process: vertlet \\d");
    assertThat(outcome.err().lines())
        .contains("--json: written to " + json, "--report: written to " + report);
    assertThat(report).content().contains("mine");
  }

  @Test
  void aRegressionFailsAComparison() throws Exception {
    Path ratios = dir.resolve("ratios.json");
    Files.writeString(
        ratios,
        """
        {"subject": "vertlet-fast", "peer": "same", "ratios": [
          {"figure": "phases.up.cpu_ms_per_pod", "committed": 0.001, "tolerance": 2}]}
        """);
    Path others = dir.resolve("others.json");
    Files.writeString(
        others,
        """
        {"subject": "same", "peer": "vertlet-fast", "ratios": [
          {"figure": "phases.down.cpu_ms_per_pod", "committed": 1, "tolerance": 1000}]}
        """);

    Launcher.Outcome outcome =
        Launcher.run(
            dir,
            "load-test",
            "--nodes=2",
            "--pods=10",
            "--runs=1",
            "--subject=vertlet-fast",
            "--compare=same=vertlet-fast",
            "--baseline=" + ratios,
            "--baseline=" + others);

    assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(1);
    assertThat(outcome.out())
        .containsPattern(
            "REGRESSION  vertlet-fast's phases\\.up\\.cpu_ms_per_pod is [0-9.]+ times that of same;"
                + " committed 0\\.001, allowed up to 0\\.002")
        .containsPattern("ok +same's phases\\.down\\.cpu_ms_per_pod");
  }

  /** Runs a scenario against this cluster, after which nothing of it is left; what was measured. */
  private JsonObject passes(TestCluster cluster, String scenario) throws Exception {
    Path file = Files.writeString(dir.resolve("scenario.json"), scenario);
    Path json = dir.resolve("report.json");
    Launcher.Outcome outcome = loadTest(cluster, "--scenario=" + file, "--json=" + json);
    assertThat(outcome.exitCode()).as(outcome.err() + outcome.out()).isZero();
    assertThat(leftovers(cluster)).isEmpty();
    return new JsonObject(Files.readString(json));
  }

  private static double figure(JsonObject result, String path) {
    return RunJson.figure(result, path).orElse(Double.NaN);
  }

  /** As by kill, and by Ctrl-C. */
  @FullRing
  @ParameterizedTest
  @ValueSource(strings = {"TERM", "INT"})
  void clearsUpAfterItWasToldToStop(String signal, TestCluster cluster) throws Exception {
    Process test =
        Launcher.startHearing(
            signal,
            dir,
            "load-test",
            "--target=" + cluster.kubeconfig(),
            "--agent-kubeconfig=" + cluster.agentKubeconfig(),
            "--yes",
            "--nodes=1",
            "--pods=1000",
            "--rate=5");
    try {
      await().until(() -> leftovers(cluster).stream().anyMatch(name -> name.contains("-pod-")));

      Process kill = new ProcessBuilder("kill", "-" + signal, "" + test.pid()).start();
      assertThat(kill.waitFor()).isZero();

      assertThat(Launcher.await(test, dir).exitCode()).isEqualTo(1);
      assertThat(leftovers(cluster)).isEmpty();
    } finally {
      test.destroyForcibly();
    }
  }

  /** Names of what load tests made, of every kind they make. */
  private static List<String> leftovers(TestCluster cluster) {
    return Stream.of(
            cluster.client().namespaces().withLabel(LoadPlan.LABEL).list().getItems(),
            cluster.client().nodes().withLabel(LoadPlan.LABEL).list().getItems(),
            cluster.client().pods().inAnyNamespace().list().getItems(),
            cluster.client().leases().inNamespace("kube-node-lease").list().getItems())
        .flatMap(List::stream)
        .map(HasMetadata::getMetadata)
        .map(metadata -> metadata.getName())
        .filter(name -> name.startsWith("load-"))
        .toList();
  }

  /** Runs a load test against this cluster. */
  private Launcher.Outcome loadTest(TestCluster cluster, String... more) throws Exception {
    List<String> arguments = new ArrayList<>();
    arguments.add("load-test");
    arguments.add("--target=" + cluster.kubeconfig());
    arguments.add("--agent-kubeconfig=" + cluster.agentKubeconfig());
    arguments.add("--yes");
    arguments.addAll(List.of(more));
    return Launcher.run(dir, arguments.toArray(String[]::new));
  }
}
