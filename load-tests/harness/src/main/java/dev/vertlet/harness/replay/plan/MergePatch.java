package dev.vertlet.harness.replay.plan;

import io.vertx.core.json.JsonObject;
import java.util.Objects;

/** JSON merge patches (RFC 7386). */
final class MergePatch {
  private MergePatch() {}

  /** Returns the patch that makes {@code to} of {@code from}; empty if they are equal. */
  static JsonObject between(JsonObject from, JsonObject to) {
    JsonObject patch = new JsonObject();
    for (String field : from.fieldNames()) {
      if (!to.containsKey(field)) {
        patch.putNull(field);
      }
    }
    for (String field : to.fieldNames()) {
      Object before = from.getValue(field);
      Object after = to.getValue(field);
      if (before instanceof JsonObject one && after instanceof JsonObject other) {
        JsonObject inner = between(one, other);
        if (!inner.isEmpty()) {
          patch.put(field, inner);
        }
      } else if (!Objects.equals(before, after)) {
        patch.put(field, after);
      }
    }
    return patch;
  }
}
