package dev.vertlet.harness.replay.report;

import dev.vertlet.harness.result.Figure;
import dev.vertlet.harness.result.Figure.Better;
import dev.vertlet.harness.result.RunJson;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeSet;

/** The figures of a report, in the order of its table. */
final class ReplayFigures {
  private static final double SECONDS = 0.001;

  private static final Map<String, String> PERCENTILES =
      Map.of("p50_ms", "p50", "p90_ms", "p90", "p99_ms", "p99", "max_ms", "longest");

  private static final List<String> ORDER = List.of("p50_ms", "p90_ms", "p99_ms", "max_ms");

  private ReplayFigures() {}

  /** Figures that at least one run has. */
  static List<Figure> of(List<JsonObject> runs) {
    List<Figure> figures = new ArrayList<>();
    figures.add(count("pods", "created", "pods.created"));
    figures.add(count("pods", "that never ran", "pods.never_ran"));
    figures.add(count("pods", "most at a time", "pods.most_running"));
    figures.add(count("nodes", "all", "nodes.count"));
    figures.add(count("nodes", "that came later", "nodes.came"));
    figures.add(count("nodes", "that left", "nodes.left"));
    distribution(runs, figures, "pending (created to running)", "pending", SECONDS, "s");
    distribution(runs, figures, "scheduling (created to bound)", "scheduling", SECONDS, "s");
    distribution(runs, figures, "start (bound to running)", "start", SECONDS, "s");
    distribution(runs, figures, "created to Ready", "ready", SECONDS, "s");
    distribution(runs, figures, "run time", "run", SECONDS, "s");
    distribution(runs, figures, "the driver's lateness, real time", "lateness", 1, "ms");
    TreeSet<String> groups = new TreeSet<>();
    runs.forEach(run -> groups.addAll(run.getJsonObject("groups").fieldNames()));
    groups.forEach(group -> figures.add(count("pods by node group", group, "groups." + group)));
    return figures.stream()
        .filter(
            figure -> runs.stream().anyMatch(run -> RunJson.figure(run, figure.path()).isPresent()))
        .toList();
  }

  private static Figure count(String group, String label, String path) {
    return new Figure(group, label, "", path, 1, Better.LESS);
  }

  private static void distribution(
      List<JsonObject> runs,
      List<Figure> figures,
      String group,
      String name,
      double scale,
      String unit) {
    String count = name + ".count";
    if (runs.stream().anyMatch(run -> RunJson.figure(run, count).orElse(0) > 0)) {
      figures.add(count(group, name.equals("lateness") ? "steps" : "pods", count));
    }
    for (String percentile : ORDER) {
      figures.add(
          new Figure(
              group,
              PERCENTILES.getOrDefault(percentile, percentile),
              unit,
              name + "." + percentile,
              scale,
              Better.LESS));
    }
  }

  /** Value of a figure in its unit as text; a dash without measurements. */
  static String text(JsonObject run, Figure figure) {
    OptionalDouble value = RunJson.figure(run, figure.path());
    return value.isPresent() ? figure.format(value.getAsDouble()) : "–";
  }
}
