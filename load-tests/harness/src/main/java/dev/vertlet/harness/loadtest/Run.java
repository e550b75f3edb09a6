package dev.vertlet.harness.loadtest;

import dev.vertlet.cli.FailedException;
import dev.vertlet.harness.fault.FaultProxy;
import dev.vertlet.harness.load.Counts;
import dev.vertlet.harness.load.Measurements;
import dev.vertlet.harness.load.PodLoad;
import dev.vertlet.harness.measure.Costs;
import dev.vertlet.harness.measure.Sampler;
import dev.vertlet.harness.result.Latencies;
import dev.vertlet.harness.result.PhaseResult;
import dev.vertlet.harness.result.RunJson;
import dev.vertlet.harness.result.RunResult;
import dev.vertlet.harness.result.Traffic;
import dev.vertlet.harness.result.servicelevel.ControlPlaneRecord;
import dev.vertlet.harness.result.servicelevel.ControlPlaneResult;
import dev.vertlet.harness.result.servicelevel.RequestLatency;
import dev.vertlet.harness.result.servicelevel.ServiceLevels;
import dev.vertlet.harness.scenario.Phase;
import dev.vertlet.harness.scenario.Scenario;
import dev.vertlet.harness.scenario.Thresholds;
import dev.vertlet.harness.servicelevel.ControlPlaneRecorder;
import dev.vertlet.harness.subject.Peer;
import dev.vertlet.harness.subject.Subject;
import dev.vertlet.harness.subject.SubjectSpec;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.Lane;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Measures from the start of the subject to the result. For use by one thread. */
final class Run {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Instant started = Instant.now();
  private final double loadAverage = Environments.loadAverage();
  private final LoadTestOptions options;
  private final Scenario scenario;
  private final Stage stage;
  private final PodLoad load;
  private final Subject subject;
  private final MeasuredTraffic traffic;

  /** Labels a peer's own nodes, also those that it creates again after a restart. */
  private final Optional<NodeLabels> labels;

  Run(Stage stage) {
    this.options = stage.options();
    this.scenario = options.scenario();
    this.stage = stage;
    this.load = stage.load();
    this.subject = stage.subject();
    this.labels =
        options.subject() instanceof SubjectSpec.Program
                && options.subject().nodes() == Peer.Nodes.OWN
            ? Optional.of(new NodeLabels(stage.plan(), load))
            : Optional.empty();
    this.traffic =
        new MeasuredTraffic(
            () ->
                stage
                    .faults()
                    .proxy()
                    .map(FaultProxy::traffic)
                    .map(TrafficCount::of)
                    .orElse(Traffic.NONE));
  }

  /**
   * Outcome of a run.
   *
   * @param overdue names the phase that had not finished at the timeout, which was the last
   */
  record Outcome(RunResult result, Optional<FailedException> overdue) {}

  /**
   * @throws FailedException when the subject dies, a fault cannot be injected, the API server
   *     refuses a request of the load, or the timeout comes before all nodes are Ready
   */
  Outcome measure() throws InterruptedException {
    String kubernetes = kubernetes();
    double startSeconds = start();
    Costs costs = new Costs(subject.usage());
    heap(costs);
    stage.recorder().ifPresent(ControlPlaneRecorder::begin);
    try (Sampler sampler = Sampler.start(subject::usage);
        FaultSchedule schedule = FaultSchedule.begin(scenario.faults(), stage.faults())) {
      Optional<FailedException> overdue = phases(costs, schedule);
      schedule.tellMissed();
      schedule.requireFine();
      Optional<ControlPlaneRecord> plane = stage.recorder().map(ControlPlaneRecorder::stop);
      Measurements measured = stage.session().measurements();
      List<PhaseResult> phases = costs.of(measured.phases());
      RunResult figures =
          new RunResult(
              scenario.name(),
              new RunResult.Subject(options.subject().name(), stage.version(), subject.command()),
              Environments.of(
                  started,
                  loadAverage,
                  options.target().toString(),
                  options.arguments(),
                  kubernetes),
              scenario.nodes(),
              startSeconds,
              phases,
              costs.resources(phases, sampler.samples()),
              measured.leaseGaps(),
              measured.nodeFlips(),
              measured.podFlips(),
              measured.lost(),
              measured.errors(),
              measured.lastError(),
              options.traffic() ? Optional.of(traffic.sum()) : Optional.empty(),
              schedule.records(),
              measured.restarts(),
              measured.outages(),
              List.of());
      RunResult result =
          plane.map(record -> figures.withControlPlane(judge(record, measured))).orElse(figures);
      return new Outcome(
          result.withThresholds(Thresholds.evaluate(scenario.thresholds(), RunJson.of(result))),
          overdue);
    }
  }

  /** Judges by what the API server tells, the load saw, and a proxy before the subject saw. */
  private ControlPlaneResult judge(ControlPlaneRecord plane, Measurements measured) {
    plane.notes().forEach(stage.steps().progress()::happened);
    List<RequestLatency> requests = new ArrayList<>(plane.requests());
    requests.addAll(measured.requests());
    stage.faults().proxy().ifPresent(proxy -> requests.addAll(proxy.traffic().latencies()));
    Latencies startups = measured.startups();
    return new ControlPlaneResult(
        ServiceLevels.judge(requests, startups.count(), startups.p99()), plane);
  }

  /** Forgets what the control plane went through before the first phase that is no warm-up. */
  private void forgetWarmUp() {
    stage.recorder().ifPresent(ControlPlaneRecorder::forget);
    stage.faults().proxy().ifPresent(proxy -> proxy.traffic().resetLatencies());
  }

  /** Starts the subject; returns the seconds until all nodes are Ready. */
  private double start() throws InterruptedException {
    long start = System.nanoTime();
    subject.start();
    stage
        .steps()
        .await(
            "nodes Ready",
            scenario.nodes(),
            load.nodesReady().toCompletionStage(),
            () -> {
              subject.requireAlive();
              labels.ifPresent(NodeLabels::tick);
              return new Steps.At(
                  load.counts().nodesReady(), labels.map(NodeLabels::trouble).orElse(""));
            },
            () -> "the subject says: " + subject.lastLines());
    return (System.nanoTime() - start) / NANOS_PER_SECOND;
  }

  /** Runs all phases; returns the failure of the phase that exceeded the time limit, if any. */
  private Optional<FailedException> phases(Costs costs, FaultSchedule schedule)
      throws InterruptedException {
    Iterator<PhaseSizes.Size> sizes = PhaseSizes.of(scenario.phases(), scenario.nodes()).iterator();
    boolean warm = true;
    for (Phase phase : scenario.phases()) {
      if (warm && !phase.warmUp()) {
        warm = false;
        forgetWarmUp();
      }
      traffic.begins(phase);
      costs.begin(subject.usage());
      CompletionStage<PhaseResult> running = load.run(phase).toCompletionStage();
      try {
        await(phase, PhaseProgress.total(phase, sizes.next()), running, schedule);
      } catch (FailedException e) {
        if (!stage.steps().patience().over()) {
          throw e;
        }
        load.giveUp();
        return Optional.of(e);
      } finally {
        costs.end(subject.usage());
        traffic.ended(phase);
      }
      heap(costs);
    }
    return Optional.empty();
  }

  private void heap(Costs costs) throws InterruptedException {
    if (options.heap()) {
      costs.heap(subject.liveHeap());
    }
  }

  private void await(Phase phase, long total, CompletionStage<?> running, FaultSchedule schedule)
      throws InterruptedException {
    long began = System.nanoTime();
    stage
        .steps()
        .await(
            phase.name(),
            total,
            running,
            () -> {
              subject.requireAlive();
              schedule.requireFine();
              labels.ifPresent(NodeLabels::tick);
              schedule.news().forEach(stage.steps().progress()::happened);
              double seconds = (System.nanoTime() - began) / NANOS_PER_SECOND;
              Counts counts = load.counts().of(phase.name());
              return new Steps.At(
                  PhaseProgress.done(phase, counts, seconds),
                  PhaseProgress.detail(counts, scenario.nodes()));
            },
            () -> PhaseProgress.detail(load.counts().of(phase.name()), scenario.nodes()));
  }

  private String kubernetes() throws InterruptedException {
    Future<String> version =
        load.fetch(KubeRequest.get(Lane.REST, new KubePath("/version", "version", "")))
            .map(answer -> answer.body().toJsonObject().getString("gitVersion", "unknown"));
    return stage
        .steps()
        .patience()
        .await(version.toCompletionStage(), () -> "the API server does not tell its version");
  }
}
