package dev.vertlet.harness.result.text;

import dev.vertlet.harness.result.Figure;
import dev.vertlet.harness.result.Latencies;
import dev.vertlet.harness.result.PhaseResult;
import dev.vertlet.harness.result.Resources;
import dev.vertlet.harness.result.RunResult;
import dev.vertlet.harness.result.RunResult.Environment;
import dev.vertlet.harness.result.Traffic;
import dev.vertlet.harness.result.servicelevel.LevelResult;
import java.util.List;
import java.util.stream.Stream;

/** Formats one run: a row for each phase, then the figures of the whole run. */
public final class RunText {
  private static final double MILLIS_PER_SECOND = 1_000;
  private static final double BYTES_PER_MIB = 1 << 20;

  /** Placeholder for a value that was not measured. */
  static final String NOTHING = "–";

  private static final int NAME_WIDTH = 20;
  private static final int FIGURE_WIDTH = 12;

  private RunText() {}

  public static String of(RunResult run) {
    return Stream.of(
            Stream.of(heading(run)),
            levels(run),
            Stream.of(phases(run.phases())),
            rest(run),
            verdict(run))
        .flatMap(lines -> lines)
        .reduce((above, below) -> above + System.lineSeparator() + below)
        .orElse("");
  }

  /** Service levels first: they are what a control plane promises. */
  private static Stream<String> levels(RunResult run) {
    return run.controlPlane().stream()
        .flatMap(
            recorded ->
                Stream.concat(
                    recorded.levels().levels().stream().map(RunText::level),
                    recorded.plane().notes().stream()
                        .map(note -> line("control plane", "%s", note))));
  }

  private static String level(LevelResult level) {
    String name = level.level().text();
    if (!level.measured()) {
      return line("service level", "%s: none measured", name);
    }
    return line(
        "service level",
        "%s: %s, p99 %s ms of at most %s%s",
        level.met() ? "met" : "MISSED",
        name,
        Figure.number(level.p99()),
        Figure.number(level.level().limitMillis()),
        level.detail().isEmpty() ? "" : ": " + level.detail());
  }

  private static String heading(RunResult run) {
    Environment environment = run.environment();
    String version = run.subject().version();
    return "%s: %s%s, %,d nodes, on %s (Kubernetes %s), %d cores, %s, Java %s"
        .formatted(
            run.scenario(),
            run.subject().name(),
            version.isEmpty() ? "" : " [%s]".formatted(version),
            run.nodes(),
            environment.target(),
            environment.kubernetes(),
            environment.cores(),
            environment.system(),
            environment.java());
  }

  private static String phases(List<PhaseResult> phases) {
    Rows rows = new Rows(NAME_WIDTH, FIGURE_WIDTH);
    rows.add(
        "", "pods", "pods/s", "Ready p50", "p99 ms", "gone p50", "p99 ms", "CPU ms/pod", "CPU %");
    phases.forEach(
        phase ->
            rows.add(
                phase.name() + (phase.warmUp() ? " (warm-up)" : ""),
                "%,d".formatted(Math.max(phase.ready() + phase.gone(), phase.updates())),
                Figure.number(phase.perSecond()),
                millis(phase.create(), phase.create().p50()),
                millis(phase.create(), phase.create().p99()),
                millis(phase.delete(), phase.delete().p50()),
                millis(phase.delete(), phase.delete().p99()),
                number(phase.cpuMillisPerPod()),
                number(phase.cpuPercent())));
    return rows.toString();
  }

  private static String number(double value) {
    return Double.isNaN(value) ? NOTHING : Figure.number(value);
  }

  private static String millis(Latencies latencies, double value) {
    return latencies.count() == 0 ? NOTHING : Figure.number(value);
  }

  private static Stream<String> rest(RunResult run) {
    Resources memory = run.resources();
    return Stream.of(
            Stream.of(
                line("start", "all nodes Ready after %.1f s", run.startSeconds()),
                line(
                    "memory",
                    "%.0f MiB before the first pod, %.0f with all, %.0f at the end, %.0f at most",
                    memory.readyMiB(),
                    memory.fullMiB(),
                    memory.endMiB(),
                    memory.peakMiB()),
                leases(run.leaseGaps())),
            run.phases().stream().flatMap(RunText::heap),
            run.traffic().stream().map(RunText::traffic),
            Stream.of(
                line(
                    "NotReady flips", "%,d of nodes, %,d of pods", run.nodeFlips(), run.podFlips()),
                line("lost pods", "%,d", run.lost()),
                line(
                    "errors",
                    "%,d%s",
                    run.errors(),
                    run.lastError().isEmpty() ? "" : ", the last: " + run.lastError())),
            run.restarts().stream().map(RunText::restart),
            run.outages().stream().map(RunText::outage),
            run.faults().stream()
                .map(fault -> line("fault", "%.1f s: %s", fault.seconds(), fault.what())))
        .flatMap(lines -> lines);
  }

  private static String restart(RunResult.Restart restart) {
    String patches =
        restart.statusPatches().isPresent()
            ? ", with %,d patches of pods' status".formatted(restart.statusPatches().getAsLong())
            : "";
    return Double.isNaN(restart.servingSeconds())
        ? line("restart", "%.1f s: has not renewed every lease since", restart.seconds())
        : line(
            "restart",
            "%.1f s: every lease renewed after %.2f s%s",
            restart.seconds(),
            restart.servingSeconds(),
            patches);
  }

  private static String outage(RunResult.Outage outage) {
    return line(
        "outage",
        "%.1f s: its end; %s, %s",
        outage.seconds(),
        Double.isNaN(outage.leasesSeconds())
            ? "every lease has not been renewed since"
            : "every lease renewed after %.2f s".formatted(outage.leasesSeconds()),
        Double.isNaN(outage.podsSeconds())
            ? "the %,d pods that waited have not all been served".formatted(outage.pods())
            : "the %,d pods that waited served after %.2f s"
                .formatted(outage.pods(), outage.podsSeconds()));
  }

  private static String leases(Latencies gaps) {
    double longest = gaps.max() / MILLIS_PER_SECOND;
    return gaps.count() == 0
        ? line("lease gaps", longest > 0 ? "none ended, longest %.1f s" : NOTHING, longest)
        : line(
            "lease gaps",
            "p50 %.1f s, p99 %.1f s, longest %.1f s; %,d measured",
            gaps.p50() / MILLIS_PER_SECOND,
            gaps.p99() / MILLIS_PER_SECOND,
            longest,
            gaps.count());
  }

  private static Stream<String> heap(PhaseResult phase) {
    return phase.heap().stream()
        .map(
            heap ->
                line(
                    "live heap",
                    "%s: %.1f MiB, then %.1f%s",
                    phase.name(),
                    heap.before() / BYTES_PER_MIB,
                    heap.after() / BYTES_PER_MIB,
                    Double.isNaN(phase.heapBytesPerPod())
                        ? ""
                        : ", %,.0f bytes for each pod".formatted(phase.heapBytesPerPod())));
  }

  private static String traffic(Traffic traffic) {
    return line(
        "traffic",
        "%,d requests, %.1f MiB sent, %.1f MiB received",
        traffic.requests().stream().mapToLong(Traffic.Requests::count).sum(),
        traffic.bytesSent() / BYTES_PER_MIB,
        traffic.bytesReceived() / BYTES_PER_MIB);
  }

  private static Stream<String> verdict(RunResult run) {
    return Stream.concat(
        run.thresholds().stream()
            .map(
                threshold ->
                    line(
                        "threshold",
                        "%s: %s is %s, wanted %s",
                        threshold.met() ? "met" : "NOT MET",
                        threshold.figure(),
                        threshold.found(),
                        threshold.wanted())),
        Stream.of(line("verdict", run.passed() ? "passed" : "FAILED")));
  }

  private static String line(String name, String format, Object... values) {
    return "%-18s%s".formatted(name, format.formatted(values));
  }
}
