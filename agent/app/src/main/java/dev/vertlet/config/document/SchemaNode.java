package dev.vertlet.config.document;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One place in the schema with its reference resolved: the definition's keywords, overridden by
 * those beside the reference.
 */
public final class SchemaNode {
  private final JsonObject root;
  private final JsonObject json;

  private SchemaNode(JsonObject root, JsonObject json) {
    this.root = root;
    this.json = json;
  }

  public static SchemaNode root(JsonObject schema) {
    return new SchemaNode(schema, schema);
  }

  private SchemaNode at(JsonObject place) {
    String ref = place.getString("$ref");
    if (ref == null) {
      return new SchemaNode(root, place);
    }
    JsonObject definition =
        root.getJsonObject("$defs").getJsonObject(ref.substring("#/$defs/".length()));
    JsonObject merged = definition.copy().mergeIn(place);
    merged.remove("$ref");
    return new SchemaNode(root, merged);
  }

  /** Returns the schema of this key or index; null when the schema knows no such key. */
  public @Nullable SchemaNode child(String token) {
    JsonObject properties = json.getJsonObject("properties");
    if (properties != null && properties.containsKey(token)) {
      return at(properties.getJsonObject(token));
    }
    if (json.getValue("additionalProperties") instanceof JsonObject additional) {
      return at(additional);
    }
    return isIndex(token) ? items() : null;
  }

  /** Returns the schema of a list's items; null for any other type. */
  public @Nullable SchemaNode items() {
    JsonObject items = json.getJsonObject("items");
    return items == null ? null : at(items);
  }

  /** Returns the known keys in the order of the schema. */
  public Set<String> keys() {
    return json.getJsonObject("properties", new JsonObject()).fieldNames();
  }

  public boolean is(String type) {
    return types().contains(type);
  }

  /** Returns whether one environment variable can set the value: neither object nor list. */
  public boolean isScalar() {
    return !is("object") && !is("array");
  }

  private List<String> types() {
    Object type = json.getValue("type");
    if (type instanceof JsonArray several) {
      return several.stream().map(String::valueOf).toList();
    }
    // an enum in this schema always lists words
    return List.of(type == null ? "string" : type.toString());
  }

  /** Returns whether this is an object with free keys and scalar values. */
  public boolean isMap() {
    return keys().isEmpty()
        && json.getValue("additionalProperties") instanceof JsonObject additional
        && at(additional).isScalar();
  }

  public JsonObject json() {
    return json;
  }

  /** Describes the allowed values, to follow "must be". */
  public String allowed() {
    JsonArray words = json.getJsonArray("enum");
    if (words != null) {
      return "one of " + words.encode().replace("[", "").replace("]", "").replace(",", ", ");
    }
    String title = json.getString("title");
    if (title != null) {
      return title;
    }
    return switch (types().get(0)) {
      case "integer" -> wholeNumber();
      case "boolean" -> "true or false";
      case "object" -> "an object";
      case "array" -> "a list";
      default -> "a text";
    };
  }

  private String wholeNumber() {
    Object min = json.getValue("minimum");
    Object max = json.getValue("maximum");
    if (min == null || max == null) {
      return "a whole number";
    }
    return "a whole number from " + min + " to " + max;
  }

  private static boolean isIndex(String token) {
    return !token.isEmpty() && token.chars().allMatch(c -> c >= '0' && c <= '9');
  }
}
