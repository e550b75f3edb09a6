package dev.vertlet.config;

import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * Replaces <code>${NAME}</code> and <code>${NAME:-default}</code> in documents with other schemas;
 * each replacement is text. Uses no I/O or thread.
 */
public final class TextVariables {
  private TextVariables() {}

  /**
   * Replaces the references in all texts of the document.
   *
   * @return mistakes of the references that cannot be replaced, by their place in the document
   */
  public static List<Mistake> replaceIn(JsonObject document, Environment environment) {
    List<Mistake> mistakes = new ArrayList<>();
    new Variables(environment, mistakes).replaceIn(document);
    return mistakes;
  }
}
