package dev.vertlet.harness.scenario;

import dev.vertlet.harness.result.FigureNames;
import dev.vertlet.harness.result.RunJson;
import dev.vertlet.harness.result.RunResult.ThresholdResult;
import dev.vertlet.problem.Problem;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
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
   * That a result has such figures.
   *
   * @param result in which everything was measured
   * @throws IllegalArgumentException naming every figure that the result does not have
   */
  public static void requireFigures(List<Threshold> thresholds, JsonObject result) {
    FigureNames.require(result, "thresholds", thresholds.stream().map(Threshold::figure).toList());
  }

  /**
   * The same as problems in a scenario's file.
   *
   * @param result in which everything was measured
   */
  public static List<Problem> problems(List<Threshold> thresholds, JsonObject result) {
    return IntStream.range(0, thresholds.size())
        .boxed()
        .flatMap(i -> problem(i, thresholds.get(i).figure(), result).stream())
        .toList();
  }

  private static Optional<Problem> problem(int index, String figure, JsonObject result) {
    return FigureNames.missing(result, figure)
        .map(
            instead ->
                Problem.of(
                    "/thresholds/" + index + "/figure",
                    figure,
                    "is no figure of a result " + instead));
  }
}
