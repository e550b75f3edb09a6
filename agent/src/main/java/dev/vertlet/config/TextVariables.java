package dev.vertlet.config;

import dev.vertlet.problem.Problem;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * Replaces <code>${NAME}</code> and <code>${NAME:-default}</code> as the configuration has them, in
 * documents that others describe: what a reference becomes is text. Pure.
 */
public final class TextVariables {
  private TextVariables() {}

  /**
   * Replaces the references in all texts of the document.
   *
   * @return what is wrong with those that cannot be replaced, by their place in the document
   */
  public static List<Problem> replaceIn(JsonObject document, Environment environment) {
    List<Problem> problems = new ArrayList<>();
    new Variables(environment, problems).replaceIn(document);
    return problems;
  }
}
