package dev.vertlet.harness.loadtest;

import dev.vertlet.harness.load.Measurements;
import dev.vertlet.harness.result.Latencies;
import dev.vertlet.harness.result.PhaseResult;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.TextTable;

/**
 * What a load test came to, for people and for machines.
 *
 * @param kubernetes version of the API server
 * @param startSeconds from the start of the agent's process until all nodes were Ready
 */
public record LoadReport(
    LoadTestOptions options,
    String kubernetes,
    double startSeconds,
    Measurements measured,
    AgentCost cost) {
  private static final int NAME_WIDTH = 18;
  private static final int FIGURE_WIDTH = 11;
  private static final double MILLIS_PER_SECOND = 1_000;

  /** Whether every pod became Ready and went. */
  public boolean complete() {
    return up().ready() == options.pods() && down().gone() == options.pods();
  }

  /** All of it, with units in the names. */
  public JsonObject json() {
    return new JsonObject()
        .put("target", options.target().toString())
        .put("kubernetes", kubernetes)
        .put("cores", Runtime.getRuntime().availableProcessors())
        .put("java", Runtime.version().toString())
        .put("profile", options.profile().toString())
        .put("pace", pace())
        .put("nodes", options.nodes())
        .put("pods", options.pods())
        .put("ready", up().ready())
        .put("gone", down().gone())
        .put("nodes_ready_after_s", rounded(startSeconds))
        .put("up", json(up(), up().ready(), up().create()))
        .put("down", json(down(), down().gone(), down().delete()))
        .put(
            "agent",
            new JsonObject()
                .put("cpu_ms_per_pod_up", rounded(cost.cpuMillisUp(options.pods())))
                .put("cpu_ms_per_pod_down", rounded(cost.cpuMillisDown(options.pods())))
                .put("rss_mb_before", rounded(cost.before().residentMiB()))
                .put("rss_mb_up", rounded(cost.up().residentMiB()))
                .put("rss_mb_after", rounded(cost.down().residentMiB()))
                .put("rss_mb_peak", rounded(cost.down().peakMiB())))
        .put(
            "lease_gaps",
            new JsonObject()
                .put("count", measured.leaseGaps().count())
                .put("p50_ms", rounded(measured.leaseGaps().p50()))
                .put("max_ms", rounded(measured.leaseGaps().max())))
        .put("node_flips", measured.nodeFlips())
        .put("pod_flips", measured.podFlips())
        .put("errors", measured.errors() + measured.lost())
        .put("last_error", measured.lastError());
  }

  private PhaseResult up() {
    return measured.phases().get(0);
  }

  private PhaseResult down() {
    return measured.phases().get(1);
  }

  private static JsonObject json(PhaseResult phase, int pods, Latencies latencies) {
    return new JsonObject()
        .put("pods", pods)
        .put("per_s", rounded(phase.perSecond()))
        .put("p50_ms", rounded(latencies.p50()))
        .put("p90_ms", rounded(latencies.p90()))
        .put("p99_ms", rounded(latencies.p99()))
        .put("max_ms", rounded(latencies.max()));
  }

  private String pace() {
    return options.rate().map("%s pods/s"::formatted).orElse("burst");
  }

  private static double rounded(double value) {
    return Math.round(value * 100) / 100.0;
  }

  /** All of it as text. */
  public String text() {
    TextTable table =
        TextTable.forColumns(
            Help.defaultColorScheme(Ansi.OFF),
            new Column(NAME_WIDTH, 0, Column.Overflow.SPAN),
            figure(),
            figure(),
            figure(),
            figure(),
            figure(),
            figure());
    table.addRowValues("", "pods", "pods/s", "p50 ms", "p90 ms", "p99 ms", "max ms");
    row(table, "create to Ready", up(), up().ready(), up().create());
    row(table, "delete to gone", down(), down().gone(), down().delete());
    return String.join(System.lineSeparator(), heading(), table.toString().stripTrailing(), rest());
  }

  private static Column figure() {
    return new Column(FIGURE_WIDTH, 1, Column.Overflow.TRUNCATE);
  }

  private static void row(
      TextTable table, String name, PhaseResult phase, int pods, Latencies latencies) {
    table.addRowValues(
        name,
        Integer.toString(pods),
        tenths(phase.perSecond()),
        tenths(latencies.p50()),
        tenths(latencies.p90()),
        tenths(latencies.p99()),
        tenths(latencies.max()));
  }

  private String heading() {
    return "%d nodes, %d pods, %s, profile %s, on %s (Kubernetes %s), %d cores, Java %s"
        .formatted(
            options.nodes(),
            options.pods(),
            pace(),
            options.profile(),
            options.target(),
            kubernetes,
            Runtime.getRuntime().availableProcessors(),
            Runtime.version());
  }

  private String rest() {
    Latencies gaps = measured.leaseGaps();
    List<String> lines =
        List.of(
            "agent             CPU %.2f ms per pod up, %.2f ms per pod down"
                .formatted(cost.cpuMillisUp(options.pods()), cost.cpuMillisDown(options.pods())),
            "                  memory %.0f MiB before, %.0f with all pods, %.0f after, %.0f at most"
                .formatted(
                    cost.before().residentMiB(),
                    cost.up().residentMiB(),
                    cost.down().residentMiB(),
                    cost.down().peakMiB()),
            "                  all nodes Ready %.1f s after its start".formatted(startSeconds),
            "lease gaps        p50 %.1f s, longest %.1f s, of %d"
                .formatted(
                    gaps.p50() / MILLIS_PER_SECOND, gaps.max() / MILLIS_PER_SECOND, gaps.count()),
            "NotReady flips    %d of nodes, %d of pods"
                .formatted(measured.nodeFlips(), measured.podFlips()),
            "errors            %d%s"
                .formatted(
                    measured.errors() + measured.lost(),
                    measured.lastError().isEmpty() ? "" : ", the last: " + measured.lastError()));
    return String.join(System.lineSeparator(), lines);
  }

  private static String tenths(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
