package dev.vertlet.harness.replay;

import static dev.vertlet.harness.replay.SampleTrace.JOB;
import static dev.vertlet.harness.replay.SampleTrace.WEB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.harness.loadtest.Target;
import dev.vertlet.harness.replay.report.ReplayReport;
import dev.vertlet.harness.result.RunJson;
import dev.vertlet.harness.run.Patience;
import dev.vertlet.harness.run.Progress;
import dev.vertlet.harness.run.StoppedException;
import dev.vertlet.testsupport.Waits;
import dev.vertlet.trace.TraceEvent;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A whole replay in this process: embedded API server, agent, driver. */
class EmbeddedReplayTest {
  private static final double SPEED = 4;

  /** Long after the last event, for machines that have other work. */
  private static final long END = (long) SPEED * Waits.LONG.toMillis() / 2;

  private static SampleTrace trace() {
    return new SampleTrace()
        .node(0, "n1")
        .node(4_000, "n2")
        .add(new TraceEvent.WorkloadAdded(0, WEB, SampleTrace.deployment(2, "1")))
        .add(new TraceEvent.WorkloadAdded(0, JOB, SampleTrace.object(JOB, SampleTrace.jobSpec())))
        .pod(WEB, "web-a", 100, 1_000, null, 0)
        .pod(WEB, "web-b", 2_000, 4_000, null, 0)
        .pod(JOB, "import-a", 1_000, 2_000, 10_000L, 3);
  }

  private static Replay replay(SampleTrace trace) {
    return replay(trace, END);
  }

  private static Replay replay(SampleTrace trace, long end) {
    return new Replay(
        new ReplayOptions(
            new Target.Embedded(), "replayed", "sample", SPEED, 1, Optional.empty(), List.of()),
        trace.recording(end));
  }

  private static double figure(JsonObject run, String path) {
    return RunJson.figure(run, path).orElse(Double.NaN);
  }

  @Test
  void podsLiveAgainAsTheyWereRecorded() throws Exception {
    Replay replay = replay(trace());
    List<ReplayReport> reports = new ArrayList<>();

    try (Progress progress = Progress.create()) {
      boolean passed =
          replay.run(
              Patience.begin(new CompletableFuture<>(), replay.timeout()), progress, reports::add);
      assertThat(passed).as(() -> reports.toString()).isTrue();
    }

    JsonObject replayed = reports.get(0).runs().get(1);
    assertThat(figure(replayed, "pods.created")).isEqualTo(3);
    assertThat(figure(replayed, "pods.never_ran")).isZero();
    assertThat(figure(replayed, "nodes.count")).isEqualTo(2);
    assertThat(figure(replayed, "nodes.came")).isEqualTo(1);
    // of 8 s; its start and end are seen when the machine gets to it
    assertThat(figure(replayed, "run.count")).isEqualTo(1);
    assertThat(figure(replayed, "run.p50_ms")).isGreaterThan(4_000);
    assertThat(figure(replayed, "start.max_ms")).isPositive();
    assertThat(figure(replayed, "lateness.count")).isEqualTo(4);
  }

  @Test
  void whatRanWhenTheRecordingBeganRunsWhenTheClockStarts() throws Exception {
    Replay replay =
        replay(
            new SampleTrace()
                .node(0, "n1")
                .add(new TraceEvent.WorkloadAdded(0, WEB, SampleTrace.deployment(2, "1")))
                .add(
                    new TraceEvent.WorkloadAdded(
                        0, JOB, SampleTrace.object(JOB, SampleTrace.jobSpec())))
                .pod(WEB, "web-a", -60_000, -59_000, null, 0)
                .pod(WEB, "web-b", -60_000, -59_000, null, 0)
                .pod(JOB, "import-a", -60_000, -59_000, 30_000L, 0),
            END / 3);
    List<ReplayReport> reports = new ArrayList<>();

    try (Progress progress = Progress.create()) {
      assertThat(
              replay.run(
                  Patience.begin(new CompletableFuture<>(), replay.timeout()),
                  progress,
                  reports::add))
          .isTrue();
    }

    JsonObject replayed = reports.get(0).runs().get(1);
    assertThat(replayed.getJsonObject("over_time").getJsonArray("running").getDouble(0))
        .as("the Job's pod has the rest of its life, which begins with the clock")
        .isBetween(2.0, 3.0);
    assertThat(figure(replayed, "pods.most_running")).isEqualTo(3);
    assertThat(figure(replayed, "lateness.count")).as("nothing was left to do").isZero();
    assertThat(figure(replayed, "pending.count")).as("older than the run").isZero();
  }

  @Test
  void endsWhenItIsToldTo() {
    CompletableFuture<Void> ended = new CompletableFuture<>();
    ended.complete(null);
    Replay replay = replay(trace());

    assertThatThrownBy(
            () -> {
              try (Progress progress = Progress.create()) {
                replay.run(Patience.begin(ended, replay.timeout()), progress, report -> {});
              }
            })
        .isInstanceOf(StoppedException.class);
  }
}
