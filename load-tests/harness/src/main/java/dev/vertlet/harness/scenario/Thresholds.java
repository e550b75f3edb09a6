package dev.vertlet.harness.scenario;

import dev.vertlet.harness.result.FigureNames;
import dev.vertlet.harness.result.RunJson;
import dev.vertlet.harness.result.RunResult.ThresholdResult;
import dev.vertlet.problem.Problems;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** Holds thresholds against what a run came to. */
public final class Thresholds {
  private Thresholds() {}

  /**
   * What became of each, in their order. One whose figure was not measured is not met.
   *
   * @param result of a run, in JSON
   */
  public static List<ThresholdResult> evaluate(List<Threshold> thresholds, JsonObject result) {
    return thresholds.stream().map(threshold -> evaluate(threshold, result)).toList();
  }

  private static ThresholdResult evaluate(Threshold threshold, JsonObject result) {
    double value = RunJson.figure(result, threshold.figure()).orElse(Double.NaN);
    boolean met = value >= threshold.min() && value <= threshold.max();
    return new ThresholdResult(threshold.figure(), threshold.min(), threshold.max(), value, met);
  }

  /**
   * That a result has such figures.
   *
   * @param result in which everything was measured
   * @throws IllegalArgumentException naming every figure that the result does not have
   */
  public static void requireFigures(List<Threshold> thresholds, JsonObject result) {
    FigureNames.require(result, "thresholds", thresholds.stream().map(Threshold::figure).toList());
  }

  /**
   * The same for the thresholds of a scenario's file.
   *
   * @param result in which everything was measured
   * @param problems gets a problem for every figure that the result does not have
   */
  public static void check(List<Threshold> thresholds, JsonObject result, Problems problems) {
    for (int i = 0; i < thresholds.size(); i++) {
      String figure = thresholds.get(i).figure();
      String place = "/thresholds/" + i + "/figure";
      FigureNames.missing(result, figure)
          .ifPresent(
              instead -> problems.refuse(place, figure, "is no figure of a result " + instead));
    }
  }
}
