package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import java.util.HashMap;
import java.util.Map;

/**
 * Top-level fields that have another name in an API version than in storage.
 *
 * @param toStored name in the API version → name in storage
 */
public record Conversion(Map<String, String> toStored) {
  /** The API version is the stored form. */
  public static final Conversion NONE = new Conversion(Map.of());

  /** {@code events.k8s.io/v1} against {@code v1}. */
  static final Conversion EVENTS =
      new Conversion(
          Map.of(
              "note", "message",
              "regarding", "involvedObject",
              "reportingController", "reportingComponent",
              "deprecatedSource", "source",
              "deprecatedFirstTimestamp", "firstTimestamp",
              "deprecatedLastTimestamp", "lastTimestamp",
              "deprecatedCount", "count"));

  public Conversion {
    toStored = Map.copyOf(toStored);
  }

  /** Whether nothing has to be renamed. */
  public boolean isIdentity() {
    return toStored.isEmpty();
  }

  /** The stored form of what a client sent. */
  public ObjectNode decode(ObjectNode external) {
    return rename(external, toStored);
  }

  /** What a client reads; does not change its argument. */
  public ObjectNode encode(ObjectNode stored) {
    Map<String, String> back = new HashMap<>();
    toStored.forEach((external, internal) -> back.put(internal, external));
    return rename(stored, back);
  }

  private static ObjectNode rename(ObjectNode object, Map<String, String> names) {
    if (names.isEmpty()) {
      return object;
    }
    ObjectNode renamed = Json.object();
    for (Map.Entry<String, JsonNode> field : object.properties()) {
      renamed.set(names.getOrDefault(field.getKey(), field.getKey()), field.getValue());
    }
    return renamed;
  }
}
