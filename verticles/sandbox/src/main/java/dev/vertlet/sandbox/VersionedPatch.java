package dev.vertlet.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A change of a pod as a strategic merge patch that the server accepts for one version only.
 * Contains changes of labels, annotations and images, which are all that updates of sandboxes
 * change. Pure.
 */
final class VersionedPatch {
  private static final List<String> MAPS = List.of("labels", "annotations");

  private VersionedPatch() {}

  /**
   * Returns the patch.
   *
   * @param after with the containers of {@code before}
   * @return empty if other fields change, or if the version is unknown
   */
  static Optional<ObjectNode> of(JsonNode before, JsonNode after) {
    String version = before.path("metadata").path("resourceVersion").asText("");
    if (version.isEmpty() || !rest(before).equals(rest(after))) {
      return Optional.empty();
    }
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ObjectNode metadata = patch.putObject("metadata").put("resourceVersion", version);
    for (String map : MAPS) {
      JsonNode from = before.path("metadata").path(map);
      JsonNode to = after.path("metadata").path(map);
      ObjectNode changed = JsonNodeFactory.instance.objectNode();
      from.fieldNames()
          .forEachRemaining(
              key -> {
                if (!to.has(key)) {
                  changed.putNull(key);
                }
              });
      for (Map.Entry<String, JsonNode> entry : to.properties()) {
        if (!entry.getValue().equals(from.get(entry.getKey()))) {
          changed.set(entry.getKey(), entry.getValue());
        }
      }
      if (!changed.isEmpty()) {
        metadata.set(map, changed);
      }
    }
    for (String container : PodTree.containers(after)) {
      String image = PodTree.image(after, container);
      if (!image.equals(PodTree.image(before, container))) {
        patch
            .withObject("/spec")
            .withArray("containers")
            .addObject()
            .put("name", container)
            .put("image", image);
      }
    }
    return Optional.of(patch);
  }

  /** Returns the fields that must not change. */
  private static JsonNode rest(JsonNode pod) {
    JsonNode rest = pod.deepCopy();
    if (rest.path("metadata") instanceof ObjectNode metadata) {
      metadata.remove(MAPS);
    }
    for (JsonNode each : rest.path("spec").path("containers")) {
      if (each instanceof ObjectNode container) {
        container.remove("image");
      }
    }
    return rest;
  }
}
