package dev.vertlet.harness.result;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;

/**
 * Whether a result has the figures that somebody wants to hold it to: nobody wants to know only
 * after an hour.
 */
public final class FigureNames {
  private FigureNames() {}

  /**
   * What a result has in place of a figure, for people; empty when it has the figure.
   *
   * @param result in which everything was measured
   * @param figure as {@link RunJson#figure} takes it
   */
  public static Optional<String> missing(JsonObject result, String figure) {
    return RunJson.figure(result, figure).isPresent()
        ? Optional.empty()
        : Optional.of(instead(result, figure));
  }

  /**
   * That a result has all of them.
   *
   * @param result in which everything was measured
   * @param place where the figures are named, for people
   * @throws IllegalArgumentException naming every figure that the result does not have
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

  /** The deepest place that is there, and what it has. */
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
