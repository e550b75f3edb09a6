package dev.vertlet.stages.play;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.model.DecodeException;
import dev.vertlet.model.KubeObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * One version of an object, as JSON.
 *
 * @param json must not be changed
 */
public record StageObject(
    String namespace, String name, String uid, long resourceVersion, ObjectNode json)
    implements KubeObject {
  private static final ObjectMapper JSON = new ObjectMapper();

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

  /** Reads an object that {@link #packed} has packed. */
  public static StageObject unpacked(byte[] packed) {
    try {
      return of(JSON.readTree(packed));
    } catch (IOException e) {
      throw new DecodeException("malformed JSON", e);
    }
  }

  /** Returns the object in a tenth of its memory. */
  public byte[] packed() {
    return json.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Namespace and name as people write them. */
  public String key() {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }

  /** {@code spec.nodeName}, empty without one. */
  public String nodeName() {
    return json.path("spec").path("nodeName").asText("");
  }

  /** Whether its deletion has begun. */
  public boolean isDeleting() {
    return json.path("metadata").path("deletionTimestamp").isTextual();
  }
}
