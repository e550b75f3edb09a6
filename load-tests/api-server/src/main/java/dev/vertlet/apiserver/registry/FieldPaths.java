package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.apiserver.api.Json;

/**
 * Field labels such as {@code spec.nodeName} as paths. Every watch asks on every event: no regular
 * expression.
 */
final class FieldPaths {
  private FieldPaths() {}

  /** The text a dotted path leads to, empty when there is none. */
  static String text(JsonNode object, String label) {
    int dot = label.indexOf('.');
    if (dot < 0) {
      return Json.text(object, label);
    }
    return text(object.path(label.substring(0, dot)), label.substring(dot + 1));
  }
}
