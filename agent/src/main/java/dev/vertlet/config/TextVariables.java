package dev.vertlet.config;

import dev.vertlet.problem.Problems;
import io.vertx.core.json.JsonObject;

/**
 * Replaces <code>${NAME}</code> and <code>${NAME:-default}</code> in documents with other schemas;
 * each replacement is text. Uses no I/O or thread.
 */
public final class TextVariables {
  private TextVariables() {}

  /**
   * Replaces the references in all texts of the document.
   *
   * @param problems gets what is wrong with those that cannot be replaced
   */
  public static void replaceIn(JsonObject document, Environment environment, Problems problems) {
    new Variables(environment, problems).replaceIn(document);
  }
}
