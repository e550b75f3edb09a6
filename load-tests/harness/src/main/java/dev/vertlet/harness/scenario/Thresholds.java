package dev.vertlet.harness.scenario;

import dev.vertlet.agent.FailedException;
import dev.vertlet.harness.result.RunResult.ThresholdResult;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Holds thresholds against what a run came to. */
public final class Thresholds {
  private Thresholds() {}

  /**
   * What became of each, in their order.
   *
   * @param result of a run, in JSON
   * @throws FailedException naming every figure that the result does not have
   */
  public static List<ThresholdResult> evaluate(List<Threshold> thresholds, JsonObject result) {
    List<ThresholdResult> evaluated = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    for (Threshold threshold : thresholds) {
      Object figure = find(threshold.figure(), result);
      if (figure instanceof Number number) {
        evaluated.add(evaluate(threshold, number.doubleValue()));
      } else {
        missing.add("\"" + threshold.figure() + "\" " + why(threshold.figure(), result));
      }
    }
    if (!missing.isEmpty()) {
      throw new FailedException(
          "thresholds: the result has no figure " + String.join("; no ", missing));
    }
    return evaluated;
  }

  private static ThresholdResult evaluate(Threshold threshold, double value) {
    boolean met = value >= threshold.min() && value <= threshold.max();
    return new ThresholdResult(threshold.figure(), threshold.min(), threshold.max(), value, met);
  }

  private static @Nullable Object find(String figure, JsonObject result) {
    Object value = result;
    for (String key : figure.split("\\.")) {
      value = value instanceof JsonObject object ? object.getValue(key) : null;
    }
    return value;
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
