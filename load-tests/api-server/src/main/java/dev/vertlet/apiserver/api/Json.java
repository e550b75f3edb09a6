package dev.vertlet.apiserver.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.Optional;

/** Reading and writing JSON trees. */
public final class Json {
  private static final ObjectMapper MAPPER = JsonMapper.builder().build();

  private Json() {}

  /** An empty object. */
  public static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  /** An empty array. */
  public static ArrayNode array() {
    return MAPPER.createArrayNode();
  }

  /**
   * Parses text a test wrote.
   *
   * @throws IllegalArgumentException when the text is not one JSON object
   */
  public static ObjectNode parse(String text) {
    try {
      if (MAPPER.readTree(text) instanceof ObjectNode object) {
        return object;
      }
      throw new IllegalArgumentException("not a JSON object: " + text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not JSON: " + e.getOriginalMessage(), e);
    }
  }

  /** Parses bytes a client sent; a missing node stands for no content. */
  public static JsonNode read(byte[] bytes) throws JsonProcessingException {
    try {
      return MAPPER.readTree(bytes);
    } catch (JsonProcessingException e) {
      throw e;
    } catch (IOException e) { // an array cannot fail to be read
      throw new UncheckedIOException(e);
    }
  }

  /** Compact UTF-8 text of a tree. */
  public static byte[] bytes(JsonNode node) {
    try {
      return MAPPER.writeValueAsBytes(node);
    } catch (JsonProcessingException e) { // a tree can always be written
      throw new UncheckedIOException(e);
    }
  }

  /** The text at a path, empty when there is none. */
  public static String text(JsonNode node, String... path) {
    return at(node, path).asText("");
  }

  /** The node at a path, a missing node when there is none. */
  public static JsonNode at(JsonNode node, String... path) {
    JsonNode here = node;
    for (String step : path) {
      here = here.path(step);
    }
    return here;
  }

  /** The object at a path, if it is one. */
  public static Optional<ObjectNode> objectAt(JsonNode node, String... path) {
    return at(node, path) instanceof ObjectNode object ? Optional.of(object) : Optional.empty();
  }

  /** The object under a field, created when absent, null or not an object. */
  public static ObjectNode child(ObjectNode parent, String field) {
    return parent.get(field) instanceof ObjectNode object ? object : parent.putObject(field);
  }

  /** The object under a field of a tree that must not change, an empty one when absent. */
  public static ObjectNode view(ObjectNode parent, String field) {
    return parent.get(field) instanceof ObjectNode object ? object : object();
  }

  /** Removes null fields at every depth: clients use null to say "absent". */
  public static void dropNulls(JsonNode node) {
    if (node instanceof ObjectNode object) {
      for (Iterator<JsonNode> fields = object.iterator(); fields.hasNext(); ) {
        JsonNode value = fields.next();
        if (value.isNull()) {
          fields.remove();
        } else {
          dropNulls(value);
        }
      }
    } else if (node.isArray()) {
      node.forEach(Json::dropNulls);
    }
  }

  /** Makes {@code target} carry the field as {@code source} does, absence included. */
  public static void copyField(ObjectNode source, ObjectNode target, String field) {
    JsonNode value = source.get(field);
    if (value == null) {
      target.remove(field);
    } else {
      target.set(field, value.deepCopy());
    }
  }
}
