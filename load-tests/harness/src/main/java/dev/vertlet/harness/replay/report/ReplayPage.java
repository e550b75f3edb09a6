package dev.vertlet.harness.replay.report;

import dev.vertlet.harness.result.Figure;
import dev.vertlet.harness.result.RunJson;
import dev.vertlet.harness.result.html.HtmlReport;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A report as a page for the browser, in the form of load tests' pages. */
public final class ReplayPage {
  /** Figures at the top of the page. */
  private static final List<String> TILES =
      List.of(
          "pods.created",
          "pods.never_ran",
          "pending.p99_ms",
          "scheduling.p99_ms",
          "start.p50_ms",
          "run.p50_ms");

  private ReplayPage() {}

  /** Renders the document, which contains all its parts. */
  public static String of(ReplayReport report) {
    return HtmlReport.page(data(report), "replay.js");
  }

  /** Data of the page's script, which only draws them. */
  static JsonObject data(ReplayReport report) {
    List<JsonObject> runs = report.runs();
    List<Figure> figures = ReplayFigures.of(runs);
    int fewer = fewer(runs);
    int missing = missing(runs);
    return new JsonObject()
        .put("title", title(report))
        .put("where", where(report))
        .put("passed", fewer == 0 && missing == 0)
        .put("verdict", verdict(fewer, missing))
        .put("figures", array(figures.stream().map(ReplayPage::figure)))
        .put("tiles", tiles(figures))
        .put("subjects", array(runs.stream().map(run -> subject(run, runs.get(0), figures))))
        .put("thresholds", new JsonArray())
        .put("environments", new JsonArray(report.environments()))
        .put("notes", array(runs.stream().flatMap(ReplayPage::notes)));
  }

  private static String title(ReplayReport report) {
    return report.trace()
        + ": "
        + report.runs().stream()
            .map(run -> run.getString("name"))
            .collect(Collectors.joining(", "));
  }

  /** Target and speeds of the replays. */
  private static String where(ReplayReport report) {
    Stream<String> targets =
        report.environments().stream()
            .map(
                environment ->
                    environment.getString("target")
                        + ", Kubernetes "
                        + environment.getString("kubernetes"))
            .distinct();
    Stream<String> speeds =
        report.runs().stream()
            .skip(1)
            .map(
                run ->
                    "%s at speed %s"
                        .formatted(
                            run.getString("name"), Figure.number(run.getDouble("speed", 1.0))));
    return Stream.concat(targets, speeds).collect(Collectors.joining(" · "));
  }

  private static String verdict(int fewer, int missing) {
    if (fewer > 0) {
      return "%,d pods fewer than recorded ran".formatted(fewer);
    }
    return missing == 0
        ? "every pod that ran when recorded ran again"
        : "%,d pods more than recorded never ran".formatted(missing);
  }

  /** By how many pods fewer ran than when recorded, in the worst replay. */
  private static int fewer(List<JsonObject> runs) {
    int recorded = ran(runs.get(0));
    return runs.stream()
        .skip(1)
        .mapToInt(run -> Math.max(0, recorded * run.getInteger("scale", 1) - ran(run)))
        .max()
        .orElse(0);
  }

  private static int ran(JsonObject run) {
    JsonObject pods = run.getJsonObject("pods");
    return pods.getInteger("created", 0) - pods.getInteger("never_ran", 0);
  }

  /** Pods that never ran, beyond those of the recording, of the worst replay. */
  private static int missing(List<JsonObject> runs) {
    int recorded = runs.get(0).getJsonObject("pods").getInteger("never_ran", 0);
    return runs.stream()
        .skip(1)
        .mapToInt(
            run ->
                run.getJsonObject("pods").getInteger("never_ran", 0)
                    - recorded * run.getInteger("scale", 1))
        .map(more -> Math.max(0, more))
        .max()
        .orElse(0);
  }

  private static JsonObject figure(Figure figure) {
    return new JsonObject()
        .put("group", figure.group())
        .put("label", figure.label())
        .put("unit", figure.unit())
        .put("more", figure.better() == Figure.Better.MORE);
  }

  private static JsonArray tiles(List<Figure> figures) {
    return array(
        TILES.stream()
            .flatMap(
                path ->
                    IntStream.range(0, figures.size())
                        .filter(at -> figures.get(at).path().equals(path))
                        .boxed()));
  }

  private static JsonObject subject(JsonObject run, JsonObject recorded, List<Figure> figures) {
    return new JsonObject()
        .put("name", run.getString("name"))
        .put("version", "")
        .put("runs", 1)
        .put("command", new JsonArray())
        .put("values", array(figures.stream().map(figure -> value(run, recorded, figure))))
        .put("run", run);
  }

  private static JsonObject value(JsonObject run, JsonObject recorded, Figure figure) {
    OptionalDouble value = RunJson.figure(run, figure.path());
    return new JsonObject()
        .put("value", value.isPresent() ? value.getAsDouble() * figure.scale() : null)
        .put("text", ReplayFigures.text(run, figure))
        .put("range", null)
        .put(
            "factor",
            run == recorded
                ? null
                : Figure.factor(RunJson.figure(recorded, figure.path()), value).orElse(null));
  }

  private static Stream<JsonObject> notes(JsonObject run) {
    return run.getJsonArray("notes", new JsonArray()).stream()
        .map(note -> new JsonObject().put("subject", run.getString("name")).put("text", note));
  }

  private static JsonArray array(Stream<?> values) {
    return new JsonArray(values.toList());
  }
}
