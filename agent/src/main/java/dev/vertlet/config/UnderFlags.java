package dev.vertlet.config;

import io.vertx.core.json.JsonObject;
import java.util.function.UnaryOperator;

/**
 * A document with flags and environment on top; variables in it are not replaced.
 *
 * @param origins JSON pointer to which flag or variable set what is there, its parent or a part of
 *     it; to an empty text where none did
 */
public record UnderFlags(JsonObject document, UnaryOperator<String> origins) {
  /** Which flag or variable set something at this place; empty for none. */
  public String origin(String pointer) {
    return origins.apply(pointer);
  }
}
