package dev.vertlet.payload;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Extracts the sections of a VertletConfiguration from a configuration. */
final class ShownSections {
  private ShownSections() {}

  /**
   * @param document a whole configuration
   * @param template index of the node's template
   */
  static JsonObject of(JsonObject document, int template) {
    JsonArray nodes = document.getJsonArray("nodes", new JsonArray());
    JsonObject node = template < nodes.size() ? nodes.getJsonObject(template) : new JsonObject();
    JsonObject provider = new JsonObject();
    put(provider, "simulated", document.getValue("simulated"));
    put(
        provider,
        "settings",
        document.getJsonObject("providers", new JsonObject()).getValue("settings"));
    return new JsonObject()
        .put("node", some(node, PayloadReader.known("node")))
        .put("provider", provider)
        .put(
            "agent",
            some(document.getJsonObject("agent", new JsonObject()), PayloadReader.known("agent")));
  }

  private static JsonObject some(JsonObject from, List<String> keys) {
    JsonObject some = new JsonObject();
    keys.forEach(key -> put(some, key, from.getValue(key)));
    return some;
  }

  private static void put(JsonObject into, String key, @Nullable Object value) {
    if (value != null) {
      into.put(key, value);
    }
  }
}
