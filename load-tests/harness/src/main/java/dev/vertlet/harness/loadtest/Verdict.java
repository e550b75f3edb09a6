package dev.vertlet.harness.loadtest;

import dev.vertlet.harness.result.RunJson;
import dev.vertlet.harness.result.RunResult;
import dev.vertlet.harness.result.RunResult.ThresholdResult;
import dev.vertlet.harness.scenario.Threshold;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** Whether a run met its thresholds. */
final class Verdict {
  private Verdict() {}

  /** The result with what became of them; a figure that was not measured meets none. */
  static RunResult on(RunResult result, List<Threshold> thresholds) {
    JsonObject json = RunJson.of(result);
    return result.withThresholds(
        thresholds.stream().map(threshold -> of(threshold, json)).toList());
  }

  private static ThresholdResult of(Threshold threshold, JsonObject json) {
    double value = RunJson.figure(json, threshold.figure()).orElse(Double.NaN);
    return new ThresholdResult(
        threshold.figure(),
        threshold.min(),
        threshold.max(),
        value,
        value >= threshold.min() && value <= threshold.max());
  }
}
