package dev.vertlet.harness.replay.report;

import dev.vertlet.harness.result.RunJson;
import dev.vertlet.harness.result.RunResult.Environment;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A recording and its replays, the recording first. Each is the JSON of {@link RunFigures}; a
 * replay has {@code speed}, {@code scale}, {@code lateness} and {@code notes}, too.
 *
 * @param trace name of the recording
 * @param environments where and how each replay was made
 */
public record ReplayReport(String trace, List<JsonObject> runs, List<JsonObject> environments) {
  /** Name of the first run. */
  public static final String RECORDED = "recorded";

  static final int FORMAT = 1;
  private static final String KIND = "replay";

  public ReplayReport {
    runs = List.copyOf(runs);
    environments = List.copyOf(environments);
  }

  /**
   * How a replay went, beside what happened in it.
   *
   * @param lateness of the driver, as JSON of a distribution; in real time, not scaled back
   * @param notes what was not as recorded, for readers of the report
   */
  public record Driven(double speed, int scale, JsonObject lateness, List<String> notes) {
    public Driven {
      notes = List.copyOf(notes);
    }
  }

  /**
   * Report of one replay.
   *
   * @param name of the replay, for display
   * @param replayed in the recording's time
   */
  public static ReplayReport of(
      String trace,
      RunTimes recorded,
      String name,
      RunTimes replayed,
      Driven driven,
      Environment environment) {
    JsonObject run =
        RunFigures.of(name, replayed)
            .put("speed", driven.speed())
            .put("scale", driven.scale())
            .put("lateness", driven.lateness())
            .put("notes", new JsonArray(driven.notes()));
    return new ReplayReport(
        trace,
        List.of(RunFigures.of(RECORDED, recorded), run),
        List.of(RunJson.environment(environment)));
  }

  /** The report as a file. */
  public JsonObject json() {
    return new JsonObject()
        .put("kind", KIND)
        .put("format", FORMAT)
        .put("trace", trace)
        .put("runs", new JsonArray(runs))
        .put("environments", new JsonArray(environments));
  }

  /**
   * Reads what {@link #json} wrote.
   *
   * @throws IllegalArgumentException that names the field, its value and what is allowed
   */
  public static ReplayReport read(JsonObject json) {
    require(json, "kind", KIND);
    require(json, "format", FORMAT);
    if (!(json.getValue("trace") instanceof String trace)) {
      throw wrong("trace", json.getValue("trace"), "the name of a recording");
    }
    List<JsonObject> runs = objects(json, "runs");
    if (runs.size() < 2) {
      throw wrong("runs", runs.size() + " runs", "a recording and at least one replay");
    }
    for (int i = 0; i < runs.size(); i++) {
      ReportCheck.run(runs.get(i), "runs[" + i + "]");
    }
    return new ReplayReport(trace, runs, objects(json, "environments"));
  }

  private static void require(JsonObject json, String field, Object value) {
    if (!value.equals(json.getValue(field))) {
      throw wrong(field, json.getValue(field), "\"%s\"".formatted(value));
    }
  }

  static IllegalArgumentException wrong(String field, Object value, String allowed) {
    return new IllegalArgumentException("%s: %s must be %s".formatted(field, value, allowed));
  }

  private static List<JsonObject> objects(JsonObject json, String field) {
    if (!(json.getValue(field) instanceof JsonArray array)
        || !array.stream().allMatch(JsonObject.class::isInstance)) {
      throw wrong(field, json.getValue(field), "an array of objects");
    }
    return array.stream().map(JsonObject.class::cast).toList();
  }

  /**
   * Puts the replays of several reports beside the recording of the first. Replays of one name are
   * numbered.
   */
  public static ReplayReport together(List<ReplayReport> reports) {
    List<JsonObject> runs = new ArrayList<>();
    List<JsonObject> environments = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (ReplayReport report : reports) {
      for (JsonObject run : report.runs()) {
        boolean recording = run == report.runs().get(0);
        if (!recording || runs.isEmpty()) {
          runs.add(run.copy().put("name", unique(run.getString("name"), names)));
        }
      }
      environments.addAll(report.environments());
    }
    return new ReplayReport(reports.get(0).trace(), runs, environments);
  }

  private static String unique(String name, Set<String> names) {
    String free = name;
    for (int number = 2; !names.add(free); number++) {
      free = name + " " + number;
    }
    return free;
  }

  /** What makes several reports no comparison; empty if they are of one recording. */
  public static List<String> differences(List<ReplayReport> reports) {
    JsonObject first = reports.get(0).runs().get(0);
    List<String> differences = new ArrayList<>();
    for (ReplayReport report : reports) {
      JsonObject recording = report.runs().get(0);
      if (!recording.equals(first)) {
        differences.add(
            "%s is not the recording %s of the first report"
                .formatted(report.trace(), reports.get(0).trace()));
      }
    }
    return differences.stream().distinct().toList();
  }
}
