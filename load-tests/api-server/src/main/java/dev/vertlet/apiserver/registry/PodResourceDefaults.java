package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.PodResources;
import java.util.Map;

/** Resources of a pod as a whole that are filled in beside those that are written. */
final class PodResourceDefaults {
  private PodResourceDefaults() {}

  /** Fills in what is left out; containers must have their defaults. */
  static void apply(ObjectNode spec) {
    if (spec.get("resources") instanceof ObjectNode resources) {
      limits(spec, resources);
      requests(spec, resources);
    }
  }

  /** Huge pages without limit or request get the limits of the containers. */
  private static void limits(ObjectNode spec, ObjectNode resources) {
    JsonNode requests = resources.path("requests");
    if (resources.path("limits").isEmpty() && requests.isEmpty()) {
      return;
    }
    PodResources.ofContainers(spec, "limits")
        .forEach(
            (name, amount) -> {
              if (PodResources.isHugePages(name) && !requests.has(name)) {
                fill(resources, "limits", name, amount);
              }
            });
  }

  /** Requests of the containers, and limits of the pod where containers request nothing. */
  private static void requests(ObjectNode spec, ObjectNode resources) {
    JsonNode limits = resources.path("limits");
    if (limits.isEmpty()) {
      return;
    }
    PodResources.ofContainers(spec, "requests")
        .forEach(
            (name, amount) -> {
              if (PodResources.isOfPod(name) && !PodResources.isHugePages(name)) {
                fill(resources, "requests", name, amount);
              }
            });
    for (Map.Entry<String, JsonNode> limit : limits.properties()) {
      if (PodResources.isOfPod(limit.getKey())) {
        fill(resources, "requests", limit.getKey(), limit.getValue());
      }
    }
  }

  private static void fill(ObjectNode resources, String kind, String name, JsonNode amount) {
    ObjectNode amounts = Json.child(resources, kind);
    if (!amounts.has(name)) {
      amounts.set(name, amount);
    }
  }
}
