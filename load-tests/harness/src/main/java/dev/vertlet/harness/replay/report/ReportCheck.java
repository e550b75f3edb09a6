package dev.vertlet.harness.replay.report;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks the runs of a report that was read from a file, which may have been edited. */
final class ReportCheck {
  private static final List<String> DISTRIBUTIONS =
      List.of("pending", "scheduling", "start", "ready", "run");

  private static final List<String> CURVES =
      List.of("running", "pending", "nodes", "cpu_percent", "memory_percent");

  private ReportCheck() {}

  /**
   * Checks one run.
   *
   * @param path of the run in its document
   * @throws IllegalArgumentException that names the field, its value and what is allowed
   */
  static void run(JsonObject run, String path) {
    if (!(run.getValue("name") instanceof String)) {
      throw ReplayReport.wrong(path + ".name", shown(run.getValue("name")), "a text");
    }
    DISTRIBUTIONS.forEach(name -> distribution(run, name, path));
    if (run.containsKey("lateness")) {
      distribution(run, "lateness", path);
    }
    object(run, "pods", path);
    object(run, "nodes", path);
    object(run, "groups", path);
    JsonObject curves = object(run, "over_time", path);
    for (String curve : CURVES) {
      Object value = curves.getValue(curve);
      if (!(value instanceof JsonArray points)
          || !points.stream().allMatch(Number.class::isInstance)) {
        throw ReplayReport.wrong(path + ".over_time." + curve, shown(value), "an array of numbers");
      }
    }
    if (!(curves.getValue("step_s") instanceof Number step) || step.doubleValue() <= 0) {
      throw ReplayReport.wrong(
          path + ".over_time.step_s", shown(curves.getValue("step_s")), "a number above 0");
    }
  }

  private static void distribution(JsonObject run, String name, String path) {
    JsonObject distribution = object(run, name, path);
    if (!(distribution.getValue("count") instanceof Number)
        || !(distribution.getValue("curve") instanceof JsonArray)) {
      throw ReplayReport.wrong(
          path + "." + name, distribution.encode(), "a distribution with count and curve");
    }
  }

  private static JsonObject object(JsonObject run, String name, String path) {
    if (run.getValue(name) instanceof JsonObject object) {
      return object;
    }
    throw ReplayReport.wrong(path + "." + name, shown(run.getValue(name)), "an object");
  }

  private static String shown(@Nullable Object value) {
    return value == null ? "nothing" : value.toString();
  }
}
