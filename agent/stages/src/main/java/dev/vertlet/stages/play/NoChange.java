package dev.vertlet.stages.play;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.stages.spec.Step.PatchType;
import java.util.Iterator;
import java.util.Map;

/** Recognises patches that would change nothing, which saves their requests. */
final class NoChange {
  private NoChange() {}

  /** Whether the object has every value of the patch; false where only the server can tell. */
  static boolean of(JsonNode object, Write.Patch patch) {
    return patch.type() != PatchType.JSON && has(object, patch.body());
  }

  private static boolean has(JsonNode actual, JsonNode wanted) {
    if (wanted.isNull()) {
      return actual.isMissingNode() || actual.isNull();
    }
    if (!wanted.isObject()) {
      return actual.equals(wanted);
    }
    if (!actual.isObject()) {
      return false;
    }
    for (Iterator<Map.Entry<String, JsonNode>> fields = wanted.fields(); fields.hasNext(); ) {
      Map.Entry<String, JsonNode> field = fields.next();
      // directives of strategic merge patches
      if (field.getKey().startsWith("$") || !has(actual.path(field.getKey()), field.getValue())) {
        return false;
      }
    }
    return true;
  }
}
