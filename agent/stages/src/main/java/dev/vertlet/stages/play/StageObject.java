package dev.vertlet.stages.play;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.model.DecodeException;
import dev.vertlet.model.KubeObject;

/**
 * One version of an object, as JSON.
 *
 * @param json must not be changed
 */
public record StageObject(
    String namespace, String name, String uid, long resourceVersion, ObjectNode json)
    implements KubeObject {
  /**
   * Reads an object from the API server, without its managed fields, which are a third of it.
   *
   * @throws DecodeException if it has no name
   */
  public static StageObject of(JsonNode json) {
    JsonNode metadata = json.path("metadata");
    if (!(json instanceof ObjectNode object) || !metadata.path("name").isTextual()) {
      throw new DecodeException("an object must have metadata.name");
    }
    if (metadata instanceof ObjectNode fields) {
      fields.remove("managedFields");
    }
    return new StageObject(
        metadata.path("namespace").asText(""),
        metadata.path("name").asText(),
        metadata.path("uid").asText(""),
        metadata.path("resourceVersion").asLong(0),
        object);
  }

  /** Namespace and name as people write them. */
  public String key() {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }

  /** Whether its deletion has begun. */
  public boolean isDeleting() {
    return json.path("metadata").path("deletionTimestamp").isTextual();
  }
}
