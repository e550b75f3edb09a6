package dev.vertlet.harness.scenario;

import dev.vertlet.harness.result.FigureNames;
import dev.vertlet.harness.result.RunJson;
import dev.vertlet.harness.result.RunResult.ThresholdResult;
import dev.vertlet.harness.result.servicelevel.ServiceLevel;
import dev.vertlet.harness.result.servicelevel.Source;
import dev.vertlet.problem.Problems;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;

/** Checks the result of a run against thresholds. */
public final class Thresholds {
  private Thresholds() {}

  /**
   * Outcome of each threshold, in order. A threshold without a measured figure is not met.
   *
   * @param result result of a run, in JSON
   */
  public static List<ThresholdResult> evaluate(List<Threshold> thresholds, JsonObject result) {
    return thresholds.stream().map(threshold -> evaluate(threshold, result)).toList();
  }

  private static ThresholdResult evaluate(Threshold threshold, JsonObject result) {
    double value = RunJson.figure(result, threshold.figure()).orElse(Double.NaN);
    boolean met =
        Double.isNaN(value)
            ? threshold.metWithoutMeasurement()
            : value >= threshold.min() && value <= threshold.max();
    return new ThresholdResult(
        threshold.figure(),
        threshold.min(),
        threshold.max(),
        value,
        met,
        detail(threshold, result));
  }

  /** Slowest kind of request of a service level, and where it was measured. */
  private static String detail(Threshold threshold, JsonObject result) {
    return ServiceLevel.ofFigure(threshold.figure())
        .flatMap(
            level ->
                Optional.ofNullable(result.getJsonObject("service_levels"))
                    .map(levels -> levels.getJsonObject(level.key())))
        .filter(level -> !level.getString("worst").isEmpty())
        .map(
            level ->
                "%s, measured %s"
                    .formatted(
                        level.getString("worst"), Source.of(level.getString("measured_by")).text()))
        .orElse("");
  }

  /**
   * Checks that a result has the figures of all thresholds.
   *
   * @param result result that contains every figure
   * @throws IllegalArgumentException naming every figure that the result lacks
   */
  public static void requireFigures(List<Threshold> thresholds, JsonObject result) {
    FigureNames.require(result, "thresholds", thresholds.stream().map(Threshold::figure).toList());
  }

  /**
   * Checks the figures of the thresholds in a scenario file.
   *
   * @param result result that contains every figure
   * @param problems receives a problem for every figure that the result lacks
   */
  public static void check(List<Threshold> thresholds, JsonObject result, Problems problems) {
    for (int i = 0; i < thresholds.size(); i++) {
      String figure = thresholds.get(i).figure();
      String place = thresholds.get(i).place();
      FigureNames.missing(result, figure)
          .ifPresent(
              instead -> problems.refuse(place, figure, "is no figure of a result " + instead));
    }
  }
}
