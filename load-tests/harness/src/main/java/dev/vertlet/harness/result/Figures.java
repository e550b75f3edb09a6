package dev.vertlet.harness.result;

import dev.vertlet.harness.result.Figure.Better;
import dev.vertlet.harness.result.servicelevel.ServiceLevel;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Selects the figures of a comparison: those that at least one run has, and lease gaps, because
 * their absence shows that a run was short or that its subject renews no leases.
 */
public final class Figures {
  /** Shortest run whose memory slope is shown; in a shorter one the slope is noise. */
  private static final double SLOPE_SECONDS = 300;

  private static final double SECONDS_PER_MILLI = 0.001;
  private static final double KIB_PER_BYTE = 1.0 / 1024;

  private Figures() {}

  /** Figures in the order of the table. */
  public static List<Figure> of(Comparison comparison) {
    List<RunResult> runs = comparison.runs();
    Stream<String> names =
        runs.stream().flatMap(run -> run.measured().stream()).map(PhaseResult::name).distinct();
    return Stream.of(levels(runs), names.flatMap(name -> phase(runs, name)), whole(runs))
        .flatMap(figures -> figures)
        .toList();
  }

  private static Stream<Figure> levels(List<RunResult> runs) {
    return Arrays.stream(ServiceLevel.values())
        .filter(
            level ->
                any(
                    runs,
                    run ->
                        run.controlPlane()
                            .filter(recorded -> recorded.levels().of(level).measured())
                            .isPresent()))
        .map(level -> millis("service levels", level.text() + ", p99", level.figure()));
  }

  private static boolean works(PhaseResult phase) {
    return phase.created() + phase.deleted() + phase.updates() > 0;
  }

  private static Stream<Figure> phase(List<RunResult> runs, String name) {
    return anyPhase(runs, name, Figures::works) ? work(runs, name) : rest(name);
  }

  /** Figures of a phase without requests: the cost of idle nodes. */
  private static Stream<Figure> rest(String name) {
    return Stream.of(
        new Figure(name, "CPU, of a core", "%", "phases." + name + ".cpu_percent", 1, Better.LESS));
  }

  private static Stream<Figure> work(List<RunResult> runs, String name) {
    String path = "phases." + name + ".";
    boolean creates = anyPhase(runs, name, phase -> phase.create().count() > 0);
    boolean deletes = anyPhase(runs, name, phase -> phase.delete().count() > 0);
    return Stream.of(
            only(
                creates || deletes,
                new Figure(name, "throughput", "pods/s", path + "per_s", 1, Better.MORE)),
            only(
                !creates && !deletes,
                new Figure(name, "throughput", "updates/s", path + "per_s", 1, Better.MORE)),
            only(creates, millis(name, "create to Ready, p50", path + "create.p50_ms")),
            only(creates, millis(name, "create to Ready, p99", path + "create.p99_ms")),
            only(deletes, millis(name, "delete to gone, p50", path + "delete.p50_ms")),
            only(deletes, millis(name, "delete to gone, p99", path + "delete.p99_ms")),
            Stream.of(millis(name, "CPU per pod", path + "cpu_ms_per_pod")),
            only(
                anyPhase(runs, name, phase -> phase.heap().isPresent()),
                new Figure(
                    name,
                    "live heap per pod",
                    "bytes",
                    path + "heap.bytes_per_pod",
                    1,
                    Better.LESS)))
        .flatMap(figures -> figures);
  }

  private static Stream<Figure> whole(List<RunResult> runs) {
    return Stream.of(
            Stream.of(
                mib("with no pod", "ready_mib"),
                mib("with all pods", "full_mib"),
                mib("at the end", "end_mib"),
                mib("peak", "peak_mib")),
            only(
                any(runs, Figures::longEnough),
                new Figure(
                    "memory", "slope", "MiB/h", "resources.slope_mib_per_hour", 1, Better.LESS)),
            Stream.of(
                leaseGap("p50", "p50_ms"),
                leaseGap("p99", "p99_ms"),
                leaseGap("longest", "max_ms")),
            only(
                any(runs, run -> run.traffic().isPresent()),
                new Figure(
                    "API", "requests per pod", "", "traffic.requests_per_pod", 1, Better.LESS),
                new Figure(
                    "API",
                    "traffic per pod",
                    "KiB",
                    "traffic.bytes_per_pod",
                    KIB_PER_BYTE,
                    Better.LESS)),
            Stream.of(
                new Figure("start", "all nodes Ready", "s", "nodes_ready_after_s", 1, Better.LESS)),
            restarts(runs),
            outages(runs),
            Stream.of(
                count("lost pods", "lost"),
                count("NotReady flips of nodes", "node_flips"),
                count("NotReady flips of pods", "pod_flips"),
                count("requests sent again", "errors")))
        .flatMap(figures -> figures);
  }

  /** Start times after restarts, for as many restarts as any run has. */
  private static Stream<Figure> restarts(List<RunResult> runs) {
    int most = runs.stream().mapToInt(run -> run.restarts().size()).max().orElse(0);
    return IntStream.range(0, most)
        .mapToObj(
            restart ->
                new Figure(
                    "start",
                    "serving after restart " + (restart + 1),
                    "s",
                    "restarts." + restart + ".serving_s",
                    1,
                    Better.LESS));
  }

  /** Times after the end of outages, for as many outages as any run has. */
  private static Stream<Figure> outages(List<RunResult> runs) {
    int most = runs.stream().mapToInt(run -> run.outages().size()).max().orElse(0);
    return IntStream.range(0, most)
        .boxed()
        .flatMap(
            outage ->
                Stream.of(
                    afterOutage(outage, "leases renewed", "leases_s"),
                    afterOutage(outage, "waiting pods served", "pods_s")));
  }

  private static Figure afterOutage(int outage, String what, String field) {
    String name = what + " after outage " + (outage + 1);
    return new Figure("outages", name, "s", "outages." + outage + "." + field, 1, Better.LESS);
  }

  private static boolean longEnough(RunResult run) {
    return run.measured().stream().mapToDouble(PhaseResult::seconds).sum() >= SLOPE_SECONDS;
  }

  private static Stream<Figure> only(boolean shown, Figure... figures) {
    return shown ? Stream.of(figures) : Stream.empty();
  }

  private static boolean any(List<RunResult> runs, Predicate<RunResult> wanted) {
    return runs.stream().anyMatch(wanted);
  }

  private static boolean anyPhase(
      List<RunResult> runs, String name, Predicate<PhaseResult> wanted) {
    return runs.stream()
        .flatMap(run -> run.phases().stream())
        .anyMatch(phase -> phase.name().equals(name) && wanted.test(phase));
  }

  private static Figure millis(String group, String label, String path) {
    return new Figure(group, label, "ms", path, 1, Better.LESS);
  }

  private static Figure mib(String label, String name) {
    return new Figure("memory", label, "MiB", "resources." + name, 1, Better.LESS);
  }

  private static Figure leaseGap(String label, String name) {
    return new Figure(
        "lease gap", label, "s", "lease_gaps." + name, SECONDS_PER_MILLI, Better.LESS);
  }

  private static Figure count(String label, String path) {
    return new Figure("trouble", label, "", path, 1, Better.LESS);
  }
}
