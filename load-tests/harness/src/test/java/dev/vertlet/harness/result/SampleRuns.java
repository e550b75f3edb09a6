package dev.vertlet.harness.result;

import dev.vertlet.harness.result.servicelevel.ComponentUsage;
import dev.vertlet.harness.result.servicelevel.ControlPlaneRecord;
import dev.vertlet.harness.result.servicelevel.ControlPlaneResult;
import dev.vertlet.harness.result.servicelevel.ControlPlaneSample;
import dev.vertlet.harness.result.servicelevel.Curve;
import dev.vertlet.harness.result.servicelevel.RequestKind;
import dev.vertlet.harness.result.servicelevel.RequestLatency;
import dev.vertlet.harness.result.servicelevel.ServiceLevel;
import dev.vertlet.harness.result.servicelevel.ServiceLevels;
import dev.vertlet.harness.result.servicelevel.Source;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/** Results as load tests yield them: a warm-up, 5,000 pods up, a soak with churn, all down. */
public final class SampleRuns {
  private static final double[] PERCENTILES = {
    0, 10, 25, 50, 75, 90, 95, 97.5, 99, 99.5, 99.9, 99.95, 99.99, 100
  };

  private SampleRuns() {}

  /** One that passed. */
  public static RunResult vertlet(long seed) {
    return run("vertlet", 1, seed, 0);
  }

  /** One that is slower by a factor, from 1 on, and lost pods. */
  public static RunResult run(String subject, double slower, long seed, int lost) {
    Random random = new Random(seed);
    double jitter = 0.95 + random.nextInt(100) / 1_000.0;
    double cost = round(slower * jitter);
    List<PhaseResult> phases = phases(cost, random);
    double end = phases.stream().mapToDouble(p -> p.beganSeconds() + p.seconds()).max().orElse(0);
    double worst = round(9_500 * (0.9 + cost / 10));
    return new RunResult(
        "daily churn",
        new RunResult.Subject(subject, "", List.of(subject, "--kubeconfig=/run/kubeconfig")),
        new RunResult.Environment(
            Instant.parse("2026-11-22T10:15:30Z").plusSeconds(seed),
            "1.0.0",
            "0123abc",
            0.25,
            "control-plane",
            "v1.36.3",
            2,
            "17.0.15+6",
            "Linux 6.12.0 amd64",
            List.of("load-test", "--scenario", "churn.json", "--compare", "vertlet,kwok 64")),
        100,
        round(2.1 * cost),
        phases,
        resources(cost, end, phases, random),
        latencies(12_000, worst / 1.15, worst / 1.1, worst, 0.03),
        0,
        0,
        lost,
        3,
        "PATCH pods/status: 503 Service Unavailable",
        Optional.of(traffic(cost)),
        List.of(
            new RunResult.FaultRecord(30, "watches cut"),
            new RunResult.FaultRecord(47.5, "API server restarted, down for 3s")),
        List.of(
            new RunResult.Restart(12.5, round(1.5 * cost), OptionalLong.of(120)),
            new RunResult.Restart(40, Double.NaN, OptionalLong.empty())),
        List.of(
            new RunResult.Outage(50.5, round(2.5 * cost), 40, round(3 * cost)),
            new RunResult.Outage(60, Double.NaN, 40, Double.NaN)),
        List.of(
            new RunResult.ThresholdResult("lost", Double.NEGATIVE_INFINITY, 0, lost, lost == 0),
            new RunResult.ThresholdResult(
                "phases.up.per_s", 100, Double.POSITIVE_INFINITY, round(500 / cost), true)));
  }

  /** One that passed, with other phases. */
  public static RunResult of(List<PhaseResult> phases) {
    RunResult other = vertlet(1);
    return of(other.subject(), other, phases);
  }

  /** One that passed, of a subject that tells its version. */
  public static RunResult versioned(String subject, String version) {
    RunResult other = run(subject, 1, 1, 0);
    return of(
        new RunResult.Subject(subject, version, other.subject().command()), other, other.phases());
  }

  /** One that missed the level of writes, with a record of its control plane. */
  public static RunResult recorded(String subject, long seed) {
    RunResult run = run(subject, 1, seed, 0);
    ServiceLevels levels =
        ServiceLevels.judge(
            List.of(
                request("PATCH", "pods/status", "resource", Source.API_SERVER, 14),
                request("PATCH", "pods/status", "resource", Source.SUBJECT, 1_507.5),
                request("GET", "nodes", "resource", Source.API_SERVER, 5),
                request("LIST", "pods", "cluster", Source.API_SERVER, 96.4),
                request("WATCH", "pods", "cluster", Source.API_SERVER, 60_000),
                request("POST", "pods", "resource", Source.LOAD, 22)),
            5_000,
            812.3);
    ControlPlaneRecord plane =
        new ControlPlaneRecord(
            List.of(),
            levels.requests().stream()
                .filter(latency -> latency.source() == Source.API_SERVER)
                .toList(),
            new ControlPlaneRecord.Totals(0, 1, 31_000, 7.25, 5_000, 12, 3.5),
            List.of(
                new ControlPlaneRecord.ObjectCount("pods", 5_000),
                new ControlPlaneRecord.ObjectCount("leases.coordination.k8s.io", 100)),
            List.of(usage("kube-apiserver", 60, 420), usage("etcd", 25, 95)),
            IntStream.range(1, 24).mapToObj(at -> sample(5.0 * at)).toList());
    RunResult result = run.withControlPlane(new ControlPlaneResult(levels, plane));
    List<RunResult.ThresholdResult> thresholds = new ArrayList<>(result.thresholds());
    thresholds.add(
        new RunResult.ThresholdResult(
            ServiceLevel.MUTATING.figure(),
            Double.NEGATIVE_INFINITY,
            1_000,
            1_507.5,
            false,
            "PATCH pods/status, measured by the subject"));
    return result.withThresholds(thresholds);
  }

  private static RequestLatency request(
      String verb, String resource, String scope, Source source, double p99) {
    return new RequestLatency(
        new RequestKind(verb, "", resource, scope), source, 10_000, round(p99 / 4), p99 / 2, p99);
  }

  private static ComponentUsage usage(String name, double percent, double mib) {
    List<ComponentUsage.Sample> samples =
        IntStream.range(1, 24)
            .mapToObj(
                at ->
                    new ComponentUsage.Sample(
                        5.0 * at, round(percent * (1.5 + Math.sin(at))), mib + at))
            .toList();
    return new ComponentUsage(name, 48_000, mib + 23, samples);
  }

  private static ControlPlaneSample sample(double seconds) {
    double wave = 1.5 + Math.sin(seconds / 9);
    Map<Curve, Double> values = new EnumMap<>(Curve.class);
    values.put(Curve.REQUESTS, round(400 * wave));
    values.put(Curve.WATCH_EVENTS, round(900 * wave));
    values.put(Curve.MUTATING_P99, round(12 * wave));
    values.put(Curve.SINGLE_READS_P99, round(4 * wave));
    values.put(Curve.LISTS_P99, round(60 * wave));
    values.put(Curve.ETCD_P99, round(6 * wave));
    values.put(Curve.OBJECTS, Math.floor(2_000 * wave));
    values.put(Curve.REJECTED, 0.0);
    values.put(Curve.SCHEDULING_ATTEMPTS, round(90 * wave));
    values.put(Curve.SCHEDULING_P99, round(2 * wave));
    return new ControlPlaneSample(seconds, values);
  }

  private static RunResult of(
      RunResult.Subject subject, RunResult other, List<PhaseResult> phases) {
    return new RunResult(
        other.scenario(),
        subject,
        other.environment(),
        other.nodes(),
        other.startSeconds(),
        phases,
        other.resources(),
        other.leaseGaps(),
        other.nodeFlips(),
        other.podFlips(),
        other.lost(),
        other.errors(),
        other.lastError(),
        other.traffic(),
        other.faults(),
        other.restarts(),
        other.outages(),
        other.thresholds());
  }

  /** One that only updated so many pods; of none, it held. */
  public static PhaseResult updates(String name, int updates) {
    return new PhaseResult(
        name, false, 0, 10, 0, 0, 0, 0, updates, Latencies.NONE, Latencies.NONE, 40, List.of());
  }

  private static List<PhaseResult> phases(double cost, Random random) {
    PhaseResult warmUp = phase("warm up", 0, 6, 500, 0, true, cost, random);
    PhaseResult up = phase("up", 8, 10 * cost, 5_000, 0, false, cost, random);
    PhaseResult soak = phase("soak", 8 + 10 * cost + 1, 45, 2_250, 2_250, false, cost, random);
    PhaseResult down =
        phase("down", soak.beganSeconds() + 46, 12 * cost, 0, 5_000, false, cost, random);
    return List.of(warmUp, up, soak, down);
  }

  private static PhaseResult phase(
      String name,
      double began,
      double seconds,
      int created,
      int deleted,
      boolean warmUp,
      double cost,
      Random random) {
    int length = Math.max(1, (int) Math.ceil(seconds));
    IntUnaryOperator share = total -> (int) (total / seconds * (0.85 + random.nextInt(30) / 100.0));
    List<PhaseResult.Second> timeline =
        IntStream.range(0, length)
            .mapToObj(
                second ->
                    new PhaseResult.Second(share.applyAsInt(created), share.applyAsInt(deleted)))
            .toList();
    double base = name.equals("soak") ? 6 * cost : 900 * cost;
    return new PhaseResult(
        name,
        warmUp,
        round(began),
        round(seconds),
        created,
        created,
        deleted,
        deleted,
        0,
        latencies(created, base, base * 1.5, base * 2.2, 0.4),
        latencies(deleted, base * 1.2, base * 1.8, base * 2.6, 0.4),
        round((created + deleted) * 0.45 * cost),
        timeline);
  }

  private static Latencies latencies(
      long count, double p50, double p90, double p99, double spread) {
    if (count == 0) {
      return Latencies.NONE;
    }
    List<Latencies.Point> curve = new ArrayList<>();
    for (double percentile : PERCENTILES) {
      double nines = -Math.log10(1 - Math.min(percentile, 99.99) / 100);
      curve.add(
          new Latencies.Point(
              percentile, round(p50 * (0.6 + spread * nines * nines * 0.4 + nines * 0.3))));
    }
    double max = Math.max(p99, curve.get(curve.size() - 1).millis());
    return new Latencies(count, round(p50), round(p90), round(p99), round(max), curve);
  }

  private static Resources resources(
      double cost, double end, List<PhaseResult> phases, Random random) {
    List<Resources.Sample> samples = new ArrayList<>();
    double cpu = 900;
    for (int second = 0; second <= end; second++) {
      int at = second;
      boolean busy =
          phases.stream()
              .anyMatch(
                  p ->
                      !p.name().equals("soak")
                          && at >= p.beganSeconds()
                          && at < p.beganSeconds() + p.seconds());
      cpu += (busy ? 260 : 70) * (0.8 + random.nextInt(40) / 100.0) * Math.sqrt(cost);
      double memory = 150 * cost + 60 * Math.min(1, second / 20.0) + random.nextInt(8);
      samples.add(new Resources.Sample(second, round(cpu), round(memory)));
    }
    return new Resources(
        round(150 * cost),
        round(212 * cost),
        round(205 * cost),
        round(231 * cost),
        round(12.5 * cost),
        samples);
  }

  private static Traffic traffic(double cost) {
    long pods = 7_750;
    return new Traffic(
        List.of(
            new Traffic.Requests(
                "patch", "pods/status", Math.round(pods * 2 * cost), 3, 9_200_000, 41_000_000),
            new Traffic.Requests(
                "delete", "pods", Math.round(7_250 * cost), 0, 1_100_000, 3_400_000),
            new Traffic.Requests("update", "leases", 1_200, 0, 800_000, 900_000),
            new Traffic.Requests("patch", "nodes/status", 300, 0, 120_000, 600_000),
            new Traffic.Requests(
                "create", "events", Math.round(900 * (cost - 0.9)), 0, 300_000, 400_000),
            new Traffic.Requests("watch", "pods", 4, 1, 0, 62_000_000),
            new Traffic.Requests("list", "pods", 2, 0, 0, 90_000)),
        Math.round(12_900_000 * cost),
        Math.round(108_000_000 * cost));
  }

  /** As JSON has it. */
  private static double round(double value) {
    return Math.round(value * 1_000) / 1_000.0;
  }
}
