package dev.vertlet.harness.scenario;

import dev.vertlet.harness.result.RunJson;
import dev.vertlet.harness.result.RunResult.ThresholdResult;
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
   * Whether a result has such figures: nobody wants to know only after an hour.
   *
   * @param result in which everything was measured
   * @throws IllegalArgumentException naming every figure that the result does not have
   */
  public static void requireFigures(List<Threshold> thresholds, JsonObject result) {
    List<String> missing =
        thresholds.stream()
            .map(Threshold::figure)
            .filter(figure -> RunJson.figure(result, figure).isEmpty())
            .map(figure -> "\"" + figure + "\" " + why(figure, result))
            .toList();
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException(
          "thresholds: the result has no figure " + String.join("; no ", missing));
    }
  }

  /** The deepest place that is there, and what it has. */
  private static String why(String figure, JsonObject result) {
    JsonObject at = result;
    String known = "the result";
    for (String key : figure.split("\\.")) {
      if (!(at.getValue(key) instanceof JsonObject object)) {
        break;
      }
      at = object;
      known = "\"" + key + "\"";
    }
    return "(" + known + " has " + String.join(", ", at.fieldNames()) + ")";
  }
}
