package dev.vertlet.config;

import io.vertx.core.json.JsonObject;
import java.util.function.UnaryOperator;

/**
 * A document with flags and environment applied; its variables are not replaced.
 *
 * @param origins maps a JSON pointer to the flag or variable that set the value, its parent or a
 *     part of it; to an empty text for none
 */
public record UnderFlags(JsonObject document, UnaryOperator<String> origins) {
  /** Returns the flag or variable that set a value at this place; empty for none. */
  public String origin(String pointer) {
    return origins.apply(pointer);
  }
}
