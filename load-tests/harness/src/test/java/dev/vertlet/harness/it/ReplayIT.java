package dev.vertlet.harness.it;

import static dev.vertlet.harness.replay.SampleTrace.CRON;
import static dev.vertlet.harness.replay.SampleTrace.JOB;
import static dev.vertlet.harness.replay.SampleTrace.NAMESPACE;
import static dev.vertlet.harness.replay.SampleTrace.WEB;
import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.cli.FailedException;
import dev.vertlet.harness.loadtest.Target;
import dev.vertlet.harness.replay.Replay;
import dev.vertlet.harness.replay.ReplayOptions;
import dev.vertlet.harness.replay.SampleTrace;
import dev.vertlet.harness.replay.plan.ReplayLabels;
import dev.vertlet.harness.replay.report.ReplayReport;
import dev.vertlet.harness.replay.report.ReplayText;
import dev.vertlet.harness.result.RunJson;
import dev.vertlet.harness.run.Patience;
import dev.vertlet.harness.run.Progress;
import dev.vertlet.testsupport.FullRing;
import dev.vertlet.testsupport.Waits;
import dev.vertlet.trace.TraceEvent;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replays on a real control plane with its controllers and scheduler. */
@ClusterTest(controllers = true)
class ReplayIT {
  private static final double SPEED = 4;

  @TempDir private Path dir;

  private static JsonObject cronSpec() {
    return new JsonObject()
        .put("schedule", "* * * * *")
        .put("jobTemplate", new JsonObject().put("spec", SampleTrace.jobSpec()));
  }

  /**
   * Forty seconds: a Deployment of two grows to three and goes, a Job runs for 12 s, a CronJob runs
   * once, one of two nodes leaves, another comes.
   */
  private static SampleTrace trace() {
    return new SampleTrace()
        .node(0, "replay-n1")
        .node(0, "replay-n2")
        .node(16_000, "replay-n3")
        .add(new TraceEvent.NodeLeft(24_000, "replay-n2"))
        .add(new TraceEvent.WorkloadAdded(0, WEB, SampleTrace.deployment(2, "1")))
        .add(new TraceEvent.WorkloadScaled(12_000, WEB, 3))
        .add(new TraceEvent.WorkloadDeleted(36_000, WEB))
        .add(
            new TraceEvent.WorkloadAdded(
                4_000, JOB, SampleTrace.object(JOB, SampleTrace.jobSpec())))
        .add(new TraceEvent.WorkloadAdded(0, CRON, SampleTrace.object(CRON, cronSpec())))
        .pod(WEB, "web-1-a", 100, 2_000, null, 0)
        .pod(WEB, "web-1-b", 100, 2_400, null, 0)
        .pod(WEB, "web-1-c", 12_100, 14_000, null, 0)
        .pod(JOB, "import-a", 4_100, 6_000, 18_000L, 0)
        .pod(CRON, "report-100-a", 8_000, 10_000, 18_000L, 3);
  }

  private static ReplayOptions options(TestCluster cluster, double speed) {
    return new ReplayOptions(
        new Target.Existing(cluster.kubeconfig()),
        "replayed",
        "sample",
        speed,
        1,
        Optional.empty(),
        List.of());
  }

  private static ReplayReport replay(TestCluster cluster, SampleTrace trace, long end)
      throws Exception {
    return replay(cluster, trace, end, SPEED);
  }

  private static ReplayReport replay(TestCluster cluster, SampleTrace trace, long end, double speed)
      throws Exception {
    Replay replay = new Replay(options(cluster, speed), trace.recording(end));
    List<ReplayReport> reports = new ArrayList<>();
    try (Progress progress = Progress.create()) {
      boolean passed =
          replay.run(
              Patience.begin(new CompletableFuture<>(), replay.timeout()), progress, reports::add);
      assertThat(passed).as(() -> reports.toString()).isTrue();
    }
    assertThat(reports).hasSize(1);
    return reports.get(0);
  }

  private static double figure(JsonObject run, String path) {
    return RunJson.figure(run, path).orElse(Double.NaN);
  }

  @Test
  @Tag("Q01")
  @Tag("Q02")
  void everythingHappensAgainAndNothingIsLeft(TestCluster cluster) throws Exception {
    ReplayReport report = replay(cluster, trace(), 40_000);

    JsonObject replayed = report.runs().get(1);
    assertThat(figure(replayed, "seconds")).isEqualTo(40);
    // the pods on the node that left are made again elsewhere, which the recording does not show
    assertThat(figure(replayed, "pods.created")).isBetween(5.0, 7.0);
    assertThat(figure(replayed, "pods.never_ran")).isZero();
    assertThat(figure(replayed, "nodes.count")).isEqualTo(3);
    assertThat(figure(replayed, "nodes.came")).isEqualTo(1);
    assertThat(figure(replayed, "nodes.left")).isEqualTo(1);
    assertThat(figure(replayed, "lateness.count")).isPositive();
    assertThat(leftovers(cluster)).isEmpty();
  }

  @FullRing
  @Test
  @Tag("Q01")
  @Tag("Q02")
  void podsOfJobsStartAndRunAsLongAsRecorded(TestCluster cluster) throws Exception {
    ReplayReport report =
        replay(
            cluster,
            new SampleTrace()
                .node(0, "replay-n1")
                .add(
                    new TraceEvent.WorkloadAdded(
                        2_000, JOB, SampleTrace.object(JOB, SampleTrace.jobSpec())))
                .add(new TraceEvent.WorkloadAdded(0, CRON, SampleTrace.object(CRON, cronSpec())))
                .pod(JOB, "import-a", 2_100, 6_000, 18_000L, 0)
                .pod(CRON, "report-100-a", 4_000, 8_000, 20_000L, 0),
            60_000);

    JsonObject recorded = report.runs().get(0);
    JsonObject replayed = report.runs().get(1);
    assertThat(figure(replayed, "run.count")).isEqualTo(2);
    assertThat(figure(replayed, "run.p50_ms"))
        .isBetween(0.95 * figure(recorded, "run.p50_ms"), figure(recorded, "run.p50_ms") + slack());
    assertThat(figure(replayed, "start.p50_ms"))
        .isBetween(
            0.95 * figure(recorded, "start.p50_ms"), figure(recorded, "start.p50_ms") + slack());
  }

  /** Twenty minutes in two: 5,000 pods come, and all of them are there at the end. */
  @Test
  @Tag("Q08")
  @FullRing
  void theDriverKeepsUpWithFiveThousandPodsAtTenTimesTheSpeed(TestCluster cluster)
      throws Exception {
    int pods = 5_000;
    long end = 1_200_000;
    SampleTrace trace = new SampleTrace();
    for (int i = 0; i < 150; i++) { // of 39 such pods each
      trace.node(0, "replay-n" + i);
    }
    for (int i = 0; i < pods; i++) {
      long created = 1_000 + i * 227L;
      trace.pod(
          SampleTrace.workload("v1", "Pod", "bare-" + i),
          "bare-" + i,
          created,
          created + 2_000,
          null,
          0);
    }

    ReplayReport report = replay(cluster, trace, end, 10);

    JsonObject replayed = report.runs().get(1);
    String notes = replayed.getJsonArray("notes") + " " + replayed.getJsonObject("lateness");
    assertThat(figure(replayed, "lateness.count")).as(notes).isEqualTo(pods);
    assertThat(figure(replayed, "lateness.p99_ms"))
        .as("real time: " + notes)
        .isPositive()
        .isLessThanOrEqualTo(0.01 * end / 10);
    assertThat(notes).doesNotContain("fell behind");
    assertThat(figure(replayed, "pods.created")).isEqualTo(pods);
    assertThat(figure(replayed, "pods.never_ran")).as(notes).isZero();
    assertThat(figure(replayed, "pods.most_running")).isEqualTo(pods);
    assertThat(ReplayText.of(report)).contains("the driver's lateness, real time");
    System.out.println("5,000 pods at speed 10: " + notes);
    assertThat(leftovers(cluster)).isEmpty();
  }

  /** Recorded milliseconds that a busy machine may add to a duration. */
  private static double slack() {
    return SPEED * Waits.LONG.toMillis() / 10;
  }

  @Test
  void refusesTakenNamesBeforeAnythingIsMade(TestCluster cluster) {
    cluster
        .client()
        .nodes()
        .resource(new NodeBuilder().withNewMetadata().withName("replay-n1").endMetadata().build())
        .create();
    try {
      assertThatThrownBy(() -> replay(cluster, trace(), 40_000))
          .isInstanceOf(FailedException.class)
          .hasMessageContaining("has objects of the recording's names")
          .hasMessageContaining("node replay-n1");
      assertThat(leftovers(cluster)).isEmpty();
    } finally {
      cluster.client().nodes().withName("replay-n1").delete();
    }
  }

  @Test
  void refusesAKindThatTheClusterDoesNotHave(TestCluster cluster) {
    var queue = SampleTrace.workload("batch.example/v1", "Queue", "q");
    SampleTrace trace =
        trace()
            .add(
                new TraceEvent.WorkloadAdded(
                    0, queue, SampleTrace.object(queue, new JsonObject())));

    assertThatThrownBy(() -> replay(cluster, trace, 40_000))
        .isInstanceOf(FailedException.class)
        .hasMessageContaining("does not have the kind Queue of batch.example/v1");
    assertThat(leftovers(cluster)).isEmpty();
  }

  @Test
  void namespacesThatWereThereStay(TestCluster cluster) throws Exception {
    cluster
        .client()
        .namespaces()
        .resource(
            new NamespaceBuilder().withNewMetadata().withName(NAMESPACE).endMetadata().build())
        .create();
    try {
      eventually(
          () ->
              assertThat(
                      cluster
                          .client()
                          .serviceAccounts()
                          .inNamespace(NAMESPACE)
                          .withName("default")
                          .get())
                  .isNotNull());
      replay(
          cluster,
          new SampleTrace()
              .node(0, "replay-n1")
              .add(new TraceEvent.WorkloadAdded(0, WEB, SampleTrace.deployment(1, "1")))
              .pod(WEB, "web-1-a", 100, 2_000, null, 0),
          8_000);

      assertThat(cluster.client().namespaces().withName(NAMESPACE).get().getMetadata())
          .satisfies(metadata -> assertThat(metadata.getDeletionTimestamp()).isNull());
      assertThat(leftovers(cluster)).isEmpty();
    } finally {
      cluster.client().namespaces().withName(NAMESPACE).delete();
      eventually(
          () -> assertThat(cluster.client().namespaces().withName(NAMESPACE).get()).isNull());
    }
  }

  @Tag("Q06")
  @ParameterizedTest
  @ValueSource(strings = {"INT", "KILL"})
  void nothingIsLeftOfAnInterruptedReplay(String signal, TestCluster cluster) throws Exception {
    Path trace = trace().write(dir.resolve("trace.gz"), 3_600_000);
    String target = "--target=" + cluster.kubeconfig();
    Process replay =
        signal.equals("KILL")
            ? Launcher.start(dir, "replay", trace.toString(), target, "--yes")
            : Launcher.startHearing(signal, dir, "replay", trace.toString(), target, "--yes");
    try {
      eventually(
          () ->
              assertThat(
                      cluster
                          .client()
                          .pods()
                          .inAnyNamespace()
                          .withLabel(ReplayLabels.REPLAY)
                          .list()
                          .getItems())
                  .isNotEmpty());
      // the launcher's process is the command's: it replaces itself
      assertThat(new ProcessBuilder("kill", "-" + signal, "" + replay.pid()).start().waitFor())
          .isZero();
      Launcher.await(replay, dir);
      if (signal.equals("KILL")) {
        assertThat(leftovers(cluster)).isNotEmpty();
        Launcher.Outcome cleaned = Launcher.run(dir, "replay", "--clean", target, "--yes");
        assertThat(cleaned.exitCode()).as(cleaned.err()).isZero();
        assertThat(cleaned.out()).contains("Nothing of a replay is left");
      }
      assertThat(leftovers(cluster)).isEmpty();
    } finally {
      replay.destroyForcibly();
    }
  }

  /** Names of what replays made, of every kind they make. */
  private static List<String> leftovers(TestCluster cluster) {
    var client = cluster.client();
    return Stream.of(
            client.namespaces().withLabel(ReplayLabels.REPLAY).list().getItems(),
            client.nodes().withLabel(ReplayLabels.REPLAY).list().getItems(),
            client.pods().inAnyNamespace().withLabel(ReplayLabels.REPLAY).list().getItems(),
            client
                .apps()
                .deployments()
                .inAnyNamespace()
                .withLabel(ReplayLabels.REPLAY)
                .list()
                .getItems(),
            client
                .batch()
                .v1()
                .jobs()
                .inAnyNamespace()
                .withLabel(ReplayLabels.REPLAY)
                .list()
                .getItems(),
            client
                .batch()
                .v1()
                .cronjobs()
                .inAnyNamespace()
                .withLabel(ReplayLabels.REPLAY)
                .list()
                .getItems(),
            client.leases().inNamespace("kube-node-lease").list().getItems().stream()
                .filter(lease -> lease.getMetadata().getName().startsWith("replay-n"))
                .toList())
        .flatMap(List::stream)
        .map(HasMetadata.class::cast)
        .map(object -> object.getKind() + " " + object.getMetadata().getName())
        .toList();
  }
}
