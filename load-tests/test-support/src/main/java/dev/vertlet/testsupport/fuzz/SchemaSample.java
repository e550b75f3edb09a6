package dev.vertlet.testsupport.fuzz;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Document with every key of a schema, each with the schema's own example. */
public final class SchemaSample {
  private final JsonObject schema;

  private SchemaSample(JsonObject schema) {
    this.schema = schema;
  }

  /**
   * @param schema of draft 2020-12, with the keywords of the schemas in {@code conf}
   */
  public static JsonObject of(JsonObject schema) {
    return (JsonObject) new SchemaSample(schema).sample(schema);
  }

  private Object sample(JsonObject given) {
    JsonObject node = resolved(given);
    JsonArray examples = node.getJsonArray("examples");
    if (node.containsKey("properties")) {
      JsonObject object = new JsonObject();
      for (Map.Entry<String, Object> property : node.getJsonObject("properties")) {
        object.put(property.getKey(), sample((JsonObject) property.getValue()));
      }
      return object;
    }
    if (examples != null && !examples.isEmpty()) {
      return copy(examples.getValue(0));
    }
    JsonObject choice = choice(node);
    if (choice != null) {
      return sample(choice);
    }
    if (node.getValue("items") instanceof JsonObject items) {
      return new JsonArray().add(sample(items));
    }
    if (node.getValue("enum") instanceof JsonArray words) {
      return words.getValue(0);
    }
    return node.containsKey("default") ? copy(node.getValue("default")) : "text";
  }

  private static @Nullable JsonObject choice(JsonObject node) {
    JsonArray choices = node.getJsonArray("oneOf", node.getJsonArray("anyOf"));
    return choices == null ? null : choices.getJsonObject(0);
  }

  /** Merges the schema that {@code $ref} names; the node's own keywords win. */
  private JsonObject resolved(JsonObject node) {
    String reference = node.getString("$ref");
    if (reference == null) {
      return node;
    }
    JsonObject at = schema;
    for (String step : reference.substring("#/".length()).split("/")) {
      at = at.getJsonObject(step);
    }
    JsonObject all = resolved(at).copy();
    for (Map.Entry<String, Object> field : node) {
      if (!field.getKey().equals("$ref")) {
        all.put(field.getKey(), field.getValue());
      }
    }
    return all;
  }

  private static Object copy(Object value) {
    if (value instanceof JsonObject object) {
      return object.copy();
    }
    return value instanceof JsonArray array ? array.copy() : value;
  }
}
