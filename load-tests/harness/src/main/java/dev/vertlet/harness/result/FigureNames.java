package dev.vertlet.harness.result;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;

/** Checks before a run that its result will have the required figures, not after an hour. */
public final class FigureNames {
  private FigureNames() {}

  /**
   * Names the fields that a result has in place of a figure; empty when it has the figure.
   *
   * @param result result that contains every figure
   * @param figure path for {@link RunJson#figure}
   */
  public static Optional<String> missing(JsonObject result, String figure) {
    return RunJson.figure(result, figure).isPresent()
        ? Optional.empty()
        : Optional.of(instead(result, figure));
  }

  /**
   * Checks that a result has all figures.
   *
   * @param result result that contains every figure
   * @param place place that names the figures, for the message
   * @throws IllegalArgumentException naming every figure that the result lacks
   */
  public static void require(JsonObject result, String place, List<String> figures) {
    List<String> missing =
        figures.stream()
            .flatMap(
                figure ->
                    missing(result, figure).stream()
                        .map(instead -> "\"" + figure + "\" " + instead))
            .toList();
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException(
          place + ": the result has no figure " + String.join("; no ", missing));
    }
  }

  /** The deepest existing part of the path and its fields. */
  private static String instead(JsonObject result, String figure) {
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
