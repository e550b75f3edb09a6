package dev.vertlet.harness.scenario;

import dev.vertlet.config.Mistake;
import dev.vertlet.harness.result.RunJson;
import dev.vertlet.harness.result.RunResult.ThresholdResult;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.IntStream;

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

  /**
   * The same as mistakes in a scenario's file.
   *
   * @param result in which everything was measured
   */
  public static List<Mistake> mistakes(List<Threshold> thresholds, JsonObject result) {
    return IntStream.range(0, thresholds.size())
        .filter(i -> RunJson.figure(result, thresholds.get(i).figure()).isEmpty())
        .mapToObj(
            i -> {
              String figure = thresholds.get(i).figure();
              return Mistake.of(
                  "/thresholds/" + i + "/figure",
                  figure,
                  "is no figure of a result " + why(figure, result));
            })
        .toList();
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
