package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.vertlet.harness.cluster.ControlPlane;
import dev.vertlet.harness.loadtest.Target;
import dev.vertlet.harness.replay.Replay;
import dev.vertlet.harness.replay.ReplayOptions;
import dev.vertlet.harness.replay.plan.Recording;
import dev.vertlet.harness.replay.report.ReplayReport;
import dev.vertlet.harness.result.RunJson;
import dev.vertlet.harness.run.Patience;
import dev.vertlet.harness.run.Progress;
import dev.vertlet.testsupport.FullRing;
import dev.vertlet.testsupport.Waits;
import dev.vertlet.trace.PodLife;
import dev.vertlet.trace.TraceEvent;
import dev.vertlet.trace.TraceReader.Tail;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three minutes of one control plane, recorded, replayed on another one and recorded there too: the
 * two traces have the same objects at the same times.
 */
@ClusterTest(controllers = true)
@FullRing
class ReplayFidelityIT {
  /** How far an object of the replay may be from its recorded offset, real milliseconds. */
  private static final long NEAR_MILLIS = 500;

  /**
   * Turns of other processes between a request and the pod that controllers make of it: each may be
   * as late as the machine lets an idle thread be.
   */
  private static final int TURNS = 10;

  /** How much the run time of a Job's pod may differ. */
  private static final double RUN_TIME = 0.05;

  /** For how long the controller of Jobs gathers changes, at any speed. */
  private static final long JOB_SYNC_MILLIS = 1_000;

  private static final int SECONDS = 180;

  /** The first change while the clock runs: offsets of a trace are compared relative to it. */
  private static final String FIRST = "Deployment api added";

  @TempDir private Path dir;

  private static Path folder(Path parent, String name) throws IOException {
    return Files.createDirectories(parent.resolve(name));
  }

  private static String deployment(String name, int replicas, String more) {
    return """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: %1$s}
        spec:
          replicas: %2$d
          selector: {matchLabels: {app: %1$s}}
          template:
            metadata:
              labels: {app: %1$s}
              annotations: {sim.vertlet.dev/start-delay: 1500ms, sim.vertlet.dev/ready-delay: 800ms}
            spec:
              %3$s
              containers: [{name: main, image: "example.com/app:1", resources: {requests: {cpu: 10m}}}]
        """
        .formatted(name, replicas, more);
  }

  private static String job(String name, int completions, int parallelism, String runs) {
    return """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: %s}
        spec: {completions: %d, parallelism: %d, %s}
        """
        .formatted(name, completions, parallelism, jobTemplate(runs));
  }

  private static String jobTemplate(String runs) {
    return """
        template: {metadata: {annotations: {sim.vertlet.dev/run-for: %s}}, spec: {
          restartPolicy: Never, nodeSelector: {pool: stays},
          containers: [{name: main, image: "example.com/job:1"}]}}"""
        .formatted(runs)
        .replace("\n", " ");
  }

  private static String cronJob() {
    return """
        apiVersion: batch/v1
        kind: CronJob
        metadata: {name: report}
        spec: {schedule: "* * * * *", jobTemplate: {spec: {%s}}}
        """
        .formatted(jobTemplate("12s"));
  }

  private AgentProcess agent(TestCluster cluster, String node, int count, String pool)
      throws IOException {
    Path home = folder(dir, "agent-" + pool);
    Path config =
        Files.writeString(
            home.resolve("vertlet.json"),
            """
            {"nodes": [{"name": "%s{i}", "count": %d, "labels": {"pool": "%s"}, "taints": [],
              "capacity": {"cpu": "8", "memory": "8Gi", "pods": "50"}}],
             "server": {"portRange": 0, "healthzPort": 0}}
            """
                .formatted(node, count, pool));
    return cluster.agent(AgentProcess.Setup.of(home, config, cluster.agentKubeconfig()));
  }

  private static Process record(Path kubeconfig, Path trace, Path logs, String namespace)
      throws IOException {
    Process recorder =
        Launcher.process(
                logs,
                AgentProcess.vertlet(
                    "record",
                    "--out",
                    trace.toString(),
                    "--kubeconfig",
                    kubeconfig.toString(),
                    "--namespaces",
                    namespace))
            .start();
    eventually(
        () ->
            assertThat(
                    Files.readString(logs.resolve("out")) + Files.readString(logs.resolve("err")))
                .contains("recording into"));
    return recorder;
  }

  private static void end(Process recorder) throws InterruptedException {
    recorder.destroy();
    assertThat(Waits.exit(recorder)).isZero();
  }

  /** What happens in the recorded cluster, by the second at which it does. */
  private static Map<Integer, Runnable> scenario(TestCluster cluster, AgentProcess leaving) {
    Map<Integer, Runnable> changes = new TreeMap<>();
    String stays = "nodeSelector: {pool: stays}";
    changes.put(5, () -> cluster.createAll(deployment("api", 2, stays)));
    changes.put(10, () -> cluster.createAll(deployment("cache", 1, stays)));
    changes.put(15, () -> cluster.createAll(job("import", 3, 2, "20s")));
    changes.put(22, () -> cluster.kubectl("scale", "deployment/api", "--replicas=5"));
    changes.put(40, () -> cluster.createAll(job("index", 2, 2, "45s")));
    changes.put(
        60,
        () ->
            cluster.kubectl(
                "drain",
                "fidelity-leaves0",
                "--force",
                "--ignore-daemonsets",
                "--delete-emptydir-data"));
    changes.put(
        70,
        () -> {
          try {
            leaving.close();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          cluster.client().nodes().withName("fidelity-leaves0").delete();
        });
    changes.put(80, () -> cluster.kubectl("scale", "deployment/api", "--replicas=3"));
    changes.put(100, () -> cluster.kubectl("scale", "deployment/web", "--replicas=4"));
    changes.put(120, () -> cluster.kubectl("delete", "deployment/cache"));
    return changes;
  }

  private Recording recorded(TestCluster cluster) throws Exception {
    agent(cluster, "fidelity-stays", 2, "stays");
    AgentProcess leaving = agent(cluster, "fidelity-leaves", 1, "leaves");
    List.of("fidelity-stays0", "fidelity-stays1", "fidelity-leaves0")
        .forEach(node -> eventually(() -> assertThat(cluster.isReady(node)).isTrue()));
    cluster.createAll(
        deployment(
            "web",
            3,
            """
            topologySpreadConstraints: [{maxSkew: 1, topologyKey: kubernetes.io/hostname,
                whenUnsatisfiable: DoNotSchedule, nodeTaintsPolicy: Honor,
                labelSelector: {matchLabels: {app: web}}}]
            """));
    cluster.createAll(cronJob());
    eventually(
        () ->
            assertThat(cluster.field("deployment", "web", "{.status.readyReplicas}"))
                .isEqualTo("3"));

    Path trace = dir.resolve("recorded.gz");
    Process recorder =
        record(cluster.kubeconfig(), trace, folder(dir, "recorder-a"), cluster.namespace());
    ScheduledExecutorService schedule = Executors.newSingleThreadScheduledExecutor();
    try {
      List<ScheduledFuture<?>> changes = new ArrayList<>();
      scenario(cluster, leaving)
          .forEach((at, change) -> changes.add(schedule.schedule(change, at, TimeUnit.SECONDS)));
      changes.add(schedule.schedule(() -> {}, SECONDS, TimeUnit.SECONDS));
      for (ScheduledFuture<?> change : changes) {
        change.get();
      }
    } finally {
      schedule.shutdownNow();
    }
    end(recorder);
    return Recording.read(trace, Tail.REFUSE);
  }

  private record Replayed(ReplayReport report, Recording trace) {}

  /** Replays on a control plane of its own. */
  private Replayed replayed(Recording recording, String namespace, double speed) throws Exception {
    Path trace = dir.resolve("replayed-" + speed + ".gz");
    List<ReplayReport> reports = new ArrayList<>();
    try (ControlPlane other = ClusterExtension.another("replay");
        Progress progress = Progress.create()) {
      Process recorder =
          record(other.kubeconfig(), trace, folder(dir, "recorder-" + speed), namespace);
      Replay replay =
          new Replay(
              new ReplayOptions(
                  new Target.Existing(other.kubeconfig()),
                  "replayed",
                  "recorded.gz",
                  speed,
                  1,
                  Optional.empty(),
                  List.of()),
              recording);
      boolean passed =
          replay.run(
              Patience.begin(new CompletableFuture<>(), replay.timeout()), progress, reports::add);
      end(recorder);
      assertThat(passed).as(() -> reports.toString()).isTrue();
    }
    return new Replayed(reports.get(0), Recording.read(trace, Tail.REFUSE));
  }

  /** What happened to nodes and workloads after the beginning, with its offset. */
  private static Map<String, Long> happenings(Recording recording) {
    Map<String, Long> all = new LinkedHashMap<>();
    for (TraceEvent event : recording.events()) {
      String what = what(event);
      if (!what.isEmpty()) {
        all.putIfAbsent(what, event.at());
      }
    }
    return all;
  }

  private static String what(TraceEvent event) {
    if (event instanceof TraceEvent.NodeLeft left) {
      return "node " + left.name() + " left";
    } else if (event instanceof TraceEvent.WorkloadAdded added) {
      return added.workload().kind() + " " + added.workload().name() + " added";
    } else if (event instanceof TraceEvent.WorkloadScaled scaled) {
      return "%s %s scaled to %d"
          .formatted(scaled.workload().kind(), scaled.workload().name(), scaled.replicas());
    } else if (event instanceof TraceEvent.WorkloadDeleted deleted) {
      return deleted.workload().kind() + " " + deleted.workload().name() + " deleted";
    }
    return "";
  }

  /** Lives by owner; the pods of a CronJob and of the Jobs that a replay makes in its place. */
  private static Map<String, List<PodLife>> lives(Recording recording) {
    Map<String, List<PodLife>> lives = new TreeMap<>();
    for (PodLife life : recording.lives()) {
      String owner = life.identity().owner().name().replaceFirst("^report-\\d+$", "report");
      lives.computeIfAbsent(owner, name -> new ArrayList<>()).add(life);
    }
    return lives;
  }

  private static long run(PodLife life) {
    return requireNonNull(life.times().ended(), life::toString)
        - requireNonNull(life.times().started(), life::toString);
  }

  /** Compares the trace of a replay with the recorded one. */
  private static final class Comparison {
    private final SoftAssertions softly;
    private final Recording recorded;
    private final Recording replayed;
    private final double speed;

    /** Offset in the replay's trace at which its clock started. */
    private final long begin;

    /** What the machine alone may add, milliseconds. */
    private final long slack;

    private long farthest;
    private double run;

    Comparison(
        SoftAssertions softly,
        Recording recorded,
        Recording replayed,
        double speed,
        Duration machine) {
      this.softly = softly;
      this.slack = TURNS * machine.toMillis();
      this.recorded = recorded;
      this.replayed = replayed;
      this.speed = speed;
      this.begin = first(replayed) - due(first(recorded));
    }

    private static long first(Recording recording) {
      return requireNonNull(happenings(recording).get(FIRST), FIRST);
    }

    private long due(long recordedAt) {
      return Math.round(recordedAt / speed);
    }

    void compare() {
      Map<String, Long> again = happenings(replayed);
      happenings(recorded)
          .forEach(
              (what, at) -> {
                if (at > 0) {
                  softly.assertThat(again).as("speed %s", speed).containsKey(what);
                  near(what, at, again.getOrDefault(what, 0L), NEAR_MILLIS);
                }
              });
      Map<String, List<PodLife>> pods = lives(replayed);
      lives(recorded)
          .forEach((owner, lives) -> pods(owner, lives, pods.getOrDefault(owner, List.of())));
      System.out.printf(
          "speed %s: objects at most %d ms from their offsets, run times of Jobs' pods at most %.1f %% off; %d ms allowed for the machine%n",
          speed, farthest, 100 * run, slack);
    }

    private void near(String what, long at, long then, long tolerance) {
      farthest = Math.max(farthest, Math.abs(then - begin - due(at)));
      softly
          .assertThat(then - begin)
          .as("speed %s, %s, recorded at %d ms", speed, what, at)
          .isCloseTo(due(at), within(tolerance + slack));
    }

    private void pods(String owner, List<PodLife> lives, List<PodLife> others) {
      softly.assertThat(others).as("speed %s, pods of %s", speed, owner).hasSameSizeAs(lives);
      for (int i = 0; i < Math.min(lives.size(), others.size()); i++) {
        String which = "pod %d of %s".formatted(i, owner);
        PodLife life = lives.get(i);
        PodLife other = others.get(i);
        if (life.times().created() > 0) {
          near(
              which,
              life.times().created(),
              other.times().created(),
              speed == 1 ? NEAR_MILLIS : NEAR_MILLIS + JOB_SYNC_MILLIS);
        }
        if (!life.identity().owner().kind().equals("Deployment")) {
          double ran = run(other) * speed;
          run = Math.max(run, Math.abs(ran / run(life) - 1));
          softly
              .assertThat(ran)
              .as("speed %s, run time of %s", speed, which)
              .isCloseTo(run(life), within(RUN_TIME * run(life) + slack * speed));
        }
      }
    }
  }

  @Test
  @Tag("Q01")
  @Tag("Q02")
  void whatOneClusterWentThroughHappensInAnotherAtTheSameTimes(TestCluster cluster)
      throws Exception {
    MachineLag machine = cluster.closeAfterTest(MachineLag.start());
    Recording recorded = recorded(cluster);
    SoftAssertions softly = new SoftAssertions();

    for (double speed : new double[] {1, 4}) {
      Replayed replayed = replayed(recorded, cluster.namespace(), speed);

      new Comparison(softly, recorded, replayed.trace(), speed, machine.longest()).compare();
      JsonObject before = replayed.report().runs().get(0);
      JsonObject after = replayed.report().runs().get(1);
      softly.assertThat(figure(after, "seconds")).isCloseTo(figure(before, "seconds"), within(0.1));
      softly
          .assertThat(figure(after, "run.p50_ms"))
          .as("in the recording's time")
          .isCloseTo(figure(before, "run.p50_ms"), within(RUN_TIME * figure(before, "run.p50_ms")));
    }
    softly.assertAll();
  }

  private static double figure(JsonObject run, String path) {
    return RunJson.figure(run, path).orElse(Double.NaN);
  }
}
