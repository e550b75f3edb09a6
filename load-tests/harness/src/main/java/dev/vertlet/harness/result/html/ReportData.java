package dev.vertlet.harness.result.html;

import dev.vertlet.harness.result.Comparison;
import dev.vertlet.harness.result.Comparison.SubjectRuns;
import dev.vertlet.harness.result.Figure;
import dev.vertlet.harness.result.Figures;
import dev.vertlet.harness.result.RunJson;
import dev.vertlet.harness.result.RunResult;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Data of the page's script. This class computes every value; the script only draws them. */
final class ReportData {
  private ReportData() {}

  static JsonObject of(Comparison comparison) {
    List<Figure> figures = Figures.of(comparison);
    List<SubjectRuns> subjects = comparison.subjects();
    return new JsonObject()
        .put("title", title(comparison))
        .put("passed", comparison.passed())
        .put("runs", comparison.runs().size())
        .put("lost", comparison.runs().stream().mapToInt(RunResult::lost).sum())
        .put("pods", comparison.runs().stream().mapToLong(RunResult::ready).sum())
        .put("figures", array(figures.stream().map(ReportData::figure)))
        .put("tiles", new JsonArray(Tiles.of(comparison, figures)))
        .put(
            "subjects",
            array(subjects.stream().map(subject -> subject(subject, subjects.get(0), figures))))
        .put("thresholds", array(comparison.runs().stream().flatMap(ReportData::thresholds)))
        .put("environments", array(environments(comparison)));
  }

  private static String title(Comparison comparison) {
    String scenarios = distinct(comparison.runs().stream().map(RunResult::scenario), " / ");
    return scenarios + ": " + distinct(comparison.subjects().stream().map(SubjectRuns::name), ", ");
  }

  private static String distinct(Stream<String> texts, String between) {
    return texts.distinct().collect(Collectors.joining(between));
  }

  private static JsonObject figure(Figure figure) {
    return new JsonObject()
        .put("group", figure.group())
        .put("label", figure.label())
        .put("unit", figure.unit())
        .put("more", figure.better() == Figure.Better.MORE);
  }

  private static JsonObject subject(SubjectRuns subject, SubjectRuns first, List<Figure> figures) {
    return new JsonObject()
        .put("name", subject.name())
        .put("version", subject.version())
        .put("runs", subject.runs().size())
        .put("command", new JsonArray(subject.typical().subject().shown()))
        .put("values", array(figures.stream().map(figure -> value(subject, first, figure))))
        .put("run", RunJson.of(subject.typical()));
  }

  /** Median, its text, the range of several runs, and the ratio to the first subject. */
  private static JsonObject value(SubjectRuns subject, SubjectRuns first, Figure figure) {
    OptionalDouble median = subject.median(figure.path());
    double[] all = subject.values(figure.path());
    return new JsonObject()
        .put("value", median.isPresent() ? median.getAsDouble() * figure.scale() : null)
        .put("text", median.isPresent() ? figure.format(median.getAsDouble()) : "–")
        .put("range", range(figure, all))
        .put(
            "factor",
            subject == first
                ? null
                : Figure.factor(first.median(figure.path()), median).orElse(null));
  }

  private static @Nullable String range(Figure figure, double[] ascending) {
    return ascending.length < 2
        ? null
        : figure.format(ascending[0]) + "–" + figure.format(ascending[ascending.length - 1]);
  }

  private static Stream<JsonObject> thresholds(RunResult run) {
    return run.thresholds().stream()
        .map(
            threshold ->
                new JsonObject()
                    .put("subject", run.subject().name())
                    .put("figure", threshold.figure())
                    .put("wanted", threshold.wanted())
                    .put("found", threshold.found())
                    .put("met", threshold.met()));
  }

  /** Distinct environments. Those of one comparison differ only in their start time. */
  private static Stream<JsonObject> environments(Comparison comparison) {
    return comparison.runs().stream()
        .map(RunJson::of)
        .map(
            run ->
                run.getJsonObject("environment")
                    .put("scenario", run.getString("scenario"))
                    .put("nodes", run.getInteger("nodes")))
        .collect(
            Collectors.toMap(
                ReportData::place, run -> run, (earlier, later) -> earlier, LinkedHashMap::new))
        .values()
        .stream();
  }

  private static JsonObject place(JsonObject environment) {
    JsonObject place = environment.copy();
    place.remove("started");
    return place;
  }

  private static JsonArray array(Stream<?> values) {
    return new JsonArray(values.toList());
  }
}
