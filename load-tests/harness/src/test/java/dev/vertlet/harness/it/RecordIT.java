package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.FullRing;
import dev.vertlet.testsupport.Waits;
import dev.vertlet.trace.PodLife;
import dev.vertlet.trace.TraceEvent;
import dev.vertlet.trace.TraceEvent.Gap;
import dev.vertlet.trace.TraceEvent.NodeAdded;
import dev.vertlet.trace.TraceEvent.PodLived;
import dev.vertlet.trace.TraceEvent.RecordingEnded;
import dev.vertlet.trace.TraceEvent.WorkloadAdded;
import dev.vertlet.trace.TraceEvent.WorkloadDeleted;
import dev.vertlet.trace.TraceEvent.WorkloadScaled;
import dev.vertlet.trace.TraceReader;
import dev.vertlet.trace.TraceReader.Tail;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./vertlet record} with the shipped rights on a real control plane. */
@ClusterTest(controllers = true)
class RecordIT {
  @TempDir private Path folder;

  private Path file() {
    return folder.resolve("trace.gz");
  }

  private static Path recorderKubeconfig(TestCluster cluster, Path folder) throws IOException {
    cluster.grant(Manifests.RECORD);
    String token =
        cluster
            .controlPlane()
            .kubectl("create", "token", "vertlet-record", "-n", AgentAccess.NAMESPACE)
            .strip();
    return cluster.agentAccess().writeKubeconfig(folder.resolve("record-kubeconfig"), token);
  }

  private Process record(TestCluster cluster, Path kubeconfig, String log, String... more)
      throws IOException {
    List<String> command =
        AgentProcess.vertlet(
            List.of(),
            "record",
            "--out",
            file().toString(),
            "--kubeconfig",
            kubeconfig.toString(),
            "--namespaces",
            cluster.namespace());
    command = new ArrayList<>(command);
    command.addAll(List.of(more));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(log).toFile())
            .start();
    cluster.closeAfterTest(process::destroyForcibly);
    return process;
  }

  private void says(String log, String what) {
    eventually(() -> assertThat(folder.resolve(log)).content().contains(what));
  }

  private List<TraceEvent> events(Tail tail) {
    List<TraceEvent> events = new ArrayList<>();
    try (TraceReader reader = TraceReader.open(file(), tail)) {
      for (TraceEvent event = reader.next(); event != null; event = reader.next()) {
        events.add(event);
      }
    }
    return events;
  }

  private static List<String> added(List<TraceEvent> events) {
    return events.stream()
        .filter(WorkloadAdded.class::isInstance)
        .map(event -> ((WorkloadAdded) event).workload())
        .map(ref -> ref.kind() + " " + ref.name())
        .toList();
  }

  private static List<Integer> scaled(List<TraceEvent> events) {
    return events.stream()
        .filter(WorkloadScaled.class::isInstance)
        .map(event -> ((WorkloadScaled) event).replicas())
        .toList();
  }

  private static Map<String, PodLife> lives(List<TraceEvent> events) {
    return events.stream()
        .filter(PodLived.class::isInstance)
        .map(event -> ((PodLived) event).life())
        .collect(Collectors.toMap(life -> life.identity().id(), life -> life, (a, b) -> b));
  }

  private static String template(String name) {
    return """
        {metadata: {labels: {app: %s}, annotations: {note: MARK}}, spec: {
        nodeSelector: {record: "it"}, tolerations: [{operator: Exists}], restartPolicy: %s,
        containers: [{name: main, image: "example.com/app:1", args: [MARK],
        env: [{name: TOKEN, value: MARK}], resources: {requests: {cpu: 10m}}}],
        volumes: [{name: v, configMap: {name: mark, optional: true}}]}}"""
        .formatted(name, name.startsWith("job") ? "Never" : "Always")
        .replace("\n", " ");
  }

  private static void deployment(TestCluster cluster, String name, int replicas) {
    cluster.createAll(
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: %s, annotations: {note: MARK}}
        spec: {replicas: %d, selector: {matchLabels: {app: %s}}, template: %s}
        """
            .formatted(name, replicas, name, template(name)));
  }

  private static void ready(TestCluster cluster, String deployment, int replicas) {
    eventually(
        () ->
            assertThat(cluster.field("deployment", deployment, "{.status.readyReplicas}"))
                .isEqualTo(String.valueOf(replicas)));
  }

  private void agent(TestCluster cluster) throws IOException {
    Path config =
        Files.writeString(
            folder.resolve("vertlet.json"),
            """
            {"nodes": [{"name": "record{i}", "labels": {"record": "it"},
              "capacity": {"cpu": "8", "memory": "8Gi", "pods": "50"}}],
             "server": {"portRange": 0, "healthzPort": 0}}
            """);
    cluster.agent(AgentProcess.Setup.of(folder, config, cluster.agentKubeconfig()));
  }

  @FullRing
  @Test
  @Tag("Q03")
  @Tag("Q04")
  void aKilledRecorderGoesOnInTheSameFile(TestCluster cluster) throws Exception {
    Path kubeconfig = recorderKubeconfig(cluster, folder);
    agent(cluster);
    deployment(cluster, "before", 2);
    ready(cluster, "before", 2);

    Process first = record(cluster, kubeconfig, "first.log");
    says("first.log", "recording into");
    cluster.kubectl("scale", "deployment/before", "--replicas=3");
    cluster.createAll(
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: job-during}
        spec: {completions: 2, parallelism: 2, template: %s}
        """
            .formatted(
                template("job-during").replace("note: MARK", "simulated.vertlet.dev/run-for: 1s")));
    eventually(
        () -> assertThat(cluster.field("job", "job-during", "{.status.succeeded}")).isEqualTo("2"));
    eventually(
        () -> {
          assertThat(scaled(events(Tail.SKIP))).containsExactly(3);
          assertThat(lives(events(Tail.SKIP)).values())
              .filteredOn(life -> life.outcome().phase().equals("Succeeded"))
              .hasSize(2);
        });
    first.destroyForcibly();
    Waits.exit(first);

    deployment(cluster, "gap", 1);
    cluster.kubectl("scale", "deployment/before", "--replicas=1");
    ready(cluster, "before", 1);
    ready(cluster, "gap", 1);
    Process second = record(cluster, kubeconfig, "second.log");
    says("second.log", "continuing");
    deployment(cluster, "after", 1);
    ready(cluster, "after", 1);
    cluster.kubectl("delete", "deployment", "gap");
    eventually(() -> assertThat(events(Tail.SKIP)).anyMatch(WorkloadDeleted.class::isInstance));
    second.destroy();
    assertThat(Waits.exit(second)).isZero();

    List<TraceEvent> events = events(Tail.REFUSE);
    assertThat(added(events))
        .containsExactly(
            "Deployment before", "Job job-during", "Deployment gap", "Deployment after");
    assertThat(scaled(events)).containsExactly(3, 1);
    assertThat(events)
        .filteredOn(event -> event instanceof Gap gap && gap.cause().equals(Gap.RECORDER))
        .hasSize(1);
    assertThat(events)
        .filteredOn(
            event -> event instanceof NodeAdded node && node.node().name().equals("record0"))
        .hasSize(1);
    assertThat(events.get(events.size() - 1)).isInstanceOf(RecordingEnded.class);
    assertThat(lives(events).values())
        .allSatisfy(
            life -> {
              assertThat(life.identity().owner().kind()).isIn("Deployment", "Job");
              assertThat(life.node()).isEqualTo("record0");
              assertThat(life.times().scheduled()).isNotNull();
              assertThat(life.times().started()).isNotNull();
              assertThat(life.demand().cpuMillis()).isEqualTo(10);
            })
        .extracting(life -> life.identity().owner().name())
        .containsExactlyInAnyOrder(
            "before", "before", "before", "job-during", "job-during", "gap", "after");
    assertThat(lives(events).values())
        .filteredOn(life -> life.identity().owner().name().equals("before"))
        .filteredOn(life -> life.times().gone() != null || life.times().deleting() != null)
        .hasSize(2);
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file()))) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).doesNotContain("MARK");
    }
  }

  @Test
  void refusesAClusterWithoutTheRightsBeforeItWritesAnything(TestCluster cluster) throws Exception {
    Process process = record(cluster, cluster.agentKubeconfig(), "refused.log");

    assertThat(Waits.exit(process)).isEqualTo(1);
    assertThat(folder.resolve("refused.log"))
        .content()
        .contains("the cluster does not allow what recording needs: ")
        .contains("list deployments.apps in namespace " + cluster.namespace())
        .contains("watch jobs.batch in namespace ");
    assertThat(file()).doesNotExist();
  }

  @Test
  void theShippedRoleOnlyReads(TestCluster cluster) {
    List<ClusterRole> roles =
        Manifests.of(
            ClusterRole.class,
            Manifests.render(cluster.controlPlane(), cluster.client(), Manifests.RECORD));

    assertThat(roles)
        .singleElement()
        .satisfies(
            role ->
                assertThat(role.getRules())
                    .flatExtracting(rule -> rule.getVerbs())
                    .isSubsetOf("get", "list", "watch"));
  }
}
