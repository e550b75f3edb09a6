package dev.vertlet.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;

/** JSON merge patch (RFC 7386): objects merge, null deletes, everything else replaces. */
final class MergePatch {
  private MergePatch() {}

  static ObjectNode apply(ObjectNode target, ObjectNode patch) {
    patch
        .properties()
        .forEach(
            field -> {
              JsonNode value = field.getValue();
              if (value.isNull()) {
                target.remove(field.getKey());
              } else if (value instanceof ObjectNode object) {
                JsonNode old = target.get(field.getKey());
                ObjectNode into = old instanceof ObjectNode there ? there : Json.object();
                target.set(field.getKey(), apply(into, object));
              } else {
                target.set(field.getKey(), value.deepCopy());
              }
            });
    return target;
  }
}
