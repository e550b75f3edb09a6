package dev.vertlet.harness.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.harness.result.RunJson;
import dev.vertlet.testsupport.FullRing;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kubernetes' service levels, judged by load tests against a real API server. */
@ClusterTest(controllers = true)
class ServiceLevelIT {
  private static final String LEVEL = "service_levels.mutating.p99_ms";

  @TempDir private Path dir;

  /** Result of a load test with its exit code. */
  private record Judged(Launcher.Outcome outcome, JsonObject result, String junit) {
    double figure(String path) {
      return RunJson.figure(result, path).orElse(Double.NaN);
    }

    JsonObject plane() {
      return result.getJsonObject("control_plane");
    }
  }

  private Judged judge(String target, String more) throws Exception {
    Path scenario =
        Files.writeString(
            dir.resolve("levels.json"),
            """
            {"nodes": 2, "phases": [
               {"name": "up", "create": {"pods": 20}}, {"name": "down", "delete": {}}],
             "thresholds": {"slo": "kubernetes"}%s}
            """
                .formatted(more));
    Path json = dir.resolve("levels-result.json");
    Path junit = dir.resolve("levels.xml");
    Launcher.Outcome outcome =
        Launcher.run(
            dir,
            "load-test",
            "--target=" + target,
            "--yes",
            "--scenario=" + scenario,
            "--json=" + json,
            "--junit=" + junit);
    assertThat(json).as(outcome.err()).exists();
    return new Judged(outcome, new JsonObject(Files.readString(json)), Files.readString(junit));
  }

  private static Stream<JsonObject> objects(JsonArray array) {
    return array.stream().map(JsonObject.class::cast);
  }

  private static boolean measuredBy(JsonObject request, String source) {
    return request.getString("measured_by").equals(source);
  }

  /** The objective itself depends on the machine, what it is judged by does not. */
  @Test
  void theControlPlaneIsRecordedAndJudged() throws Exception {
    Judged run = judge("control-plane", "");

    assertThat(run.figure("phases.up.ready")).as(run.outcome().err()).isEqualTo(20);
    assertThat(run.figure(LEVEL)).isPositive();
    assertThat(run.figure("service_levels.pod_startup.count")).isEqualTo(20);
    assertThat(run.figure("service_levels.pod_startup.p99_ms")).isPositive();
    assertThat(run.plane().getJsonArray("notes")).isEmpty();
    assertThat(objects(run.plane().getJsonArray("requests")))
        .anyMatch(
            request ->
                measuredBy(request, "api_server")
                    && request.getString("verb").equals("POST")
                    && request.getString("resource").equals("pods")
                    && request.getLong("count") >= 20)
        .anyMatch(request -> measuredBy(request, "load"))
        .noneMatch(request -> measuredBy(request, "subject"));
    assertThat(objects(run.plane().getJsonArray("components")))
        .extracting(component -> component.getString("name"))
        .contains("kube-apiserver", "etcd");
    assertThat(run.figure("control_plane.totals.watch_events")).isPositive();
    assertThat(run.figure("control_plane.totals.etcd_p99_ms")).isPositive();
    assertThat(run.plane().getJsonArray("samples")).isNotEmpty();
    assertThat(run.outcome().out())
        .contains("writes of single objects, p99", "pod start-up, p99", "threshold");
    assertThat(run.junit()).contains("name=\"" + LEVEL + " at most 1,000\"");
  }

  @FullRing
  @Test
  @Tag("L01")
  void aDelayOfTheSubjectsPatchesMissesTheLevelOfWrites(TestCluster cluster) throws Exception {
    Judged run =
        judge(
            cluster.kubeconfig().toString(),
            """
            , "faults": [{"at": "0s", "latency": {"by": "1500ms", "verb": "patch", "for": "1h"}}]
            """);

    assertThat(run.outcome().exitCode()).as(run.outcome().err()).isEqualTo(1);
    assertThat(run.figure("lost")).isZero();
    assertThat(run.figure(LEVEL)).isBetween(1_500.0, 30_000.0);
    JsonObject level = run.result().getJsonObject("service_levels").getJsonObject("mutating");
    assertThat(level.getString("worst")).startsWith("PATCH ");
    assertThat(level.getString("measured_by")).isEqualTo("subject");
    assertThat(run.outcome().out())
        .contains(
            "MISSED: writes of single objects", "NOT MET: " + LEVEL, "measured by the subject");
    assertThat(run.junit()).containsPattern("<failure[^>]*" + LEVEL + "[^>]*PATCH ");
  }

  @FullRing
  @Test
  @Tag("L02")
  void withoutTheRightToReadMetricsClientsJudge(TestCluster cluster) throws Exception {
    cluster.createAll(
        """
        apiVersion: v1
        kind: ServiceAccount
        metadata: {name: load, namespace: %1$s}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        metadata: {name: all-objects-%1$s}
        rules: [{apiGroups: ["*"], resources: ["*"], verbs: ["*"]}]
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRoleBinding
        metadata: {name: all-objects-%1$s}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: all-objects-%1$s}
        subjects: [{kind: ServiceAccount, name: load, namespace: %1$s}]
        """
            .formatted(cluster.namespace()));
    String token = cluster.kubectl("create", "token", "load", "-n", cluster.namespace()).strip();
    Path kubeconfig = cluster.agentAccess().writeKubeconfig(dir.resolve("load.kubeconfig"), token);

    Judged run = judge(kubeconfig.toString(), "");

    assertThat(run.figure("phases.down.gone")).as(run.outcome().err()).isEqualTo(20);
    assertThat(run.plane().getJsonArray("notes")).hasSize(1);
    assertThat(run.plane().getJsonArray("notes").getString(0))
        .contains("metrics", "those that clients saw", "forbidden");
    assertThat(run.outcome().err()).containsOnlyOnce("those that clients saw");
    assertThat(objects(run.plane().getJsonArray("requests")))
        .isNotEmpty()
        .allMatch(request -> measuredBy(request, "load"));
    assertThat(run.figure(LEVEL)).isPositive();
    JsonObject level = run.result().getJsonObject("service_levels").getJsonObject("mutating");
    assertThat(level.getString("measured_by")).isEqualTo("load");
  }
}
