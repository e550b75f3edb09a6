package dev.vertlet.apiserver.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Reading and replacing entries of {@code status.conditions}. */
public final class Conditions {
  private Conditions() {}

  /** The condition of this type, an empty object when there is none. */
  public static ObjectNode find(JsonNode object, String type) {
    for (JsonNode condition : Json.at(object, "status", "conditions")) {
      if (condition instanceof ObjectNode found && found.path("type").asText().equals(type)) {
        return found;
      }
    }
    return Json.object();
  }

  /** The value of a condition, empty when there is none. */
  public static String value(JsonNode object, String type) {
    return find(object, type).path("status").asText("");
  }

  /**
   * Puts a condition in the place of the one with its type, or at the end. The time of transition
   * stays when the value does.
   */
  public static void set(ObjectNode status, ObjectNode condition) {
    ArrayNode all =
        status.get("conditions") instanceof ArrayNode there ? there : status.putArray("conditions");
    for (int i = 0; i < all.size(); i++) {
      JsonNode old = all.get(i);
      if (old.path("type").equals(condition.path("type"))) {
        if (old.path("status").equals(condition.path("status"))
            && old.path("lastTransitionTime").isTextual()) {
          condition.set("lastTransitionTime", old.get("lastTransitionTime"));
        }
        all.set(i, condition);
        return;
      }
    }
    all.add(condition);
  }
}
