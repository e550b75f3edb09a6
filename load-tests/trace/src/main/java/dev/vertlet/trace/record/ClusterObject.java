package dev.vertlet.trace.record;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.model.DecodeException;
import dev.vertlet.model.KubeObject;

/**
 * An object as a watch delivers it; kept only until it was recorded.
 *
 * @param json must not be changed
 */
record ClusterObject(String namespace, String name, String uid, long resourceVersion, JsonNode json)
    implements KubeObject {
  /**
   * Reads an object.
   *
   * @throws DecodeException if it has no name
   */
  static ClusterObject of(JsonNode json) {
    JsonNode metadata = json.path("metadata");
    if (!metadata.path("name").isTextual()) {
      throw new DecodeException("an object must have metadata.name");
    }
    return new ClusterObject(
        metadata.path("namespace").asText(""),
        metadata.path("name").asText(),
        metadata.path("uid").asText(""),
        metadata.path("resourceVersion").asLong(0),
        json);
  }
}
