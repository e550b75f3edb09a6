package dev.vertlet.apiserver.metrics;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.store.ObjectStore;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a kubelet's {@code /stats/summary} tells of its node.
 *
 * @param node the whole node, none when it was not measured
 * @param pods usage by container name, by the pod's {@link ObjectStore#key}; without the pods of
 *     which a container was not measured, since their sum would be wrong
 */
record Summary(Optional<Usage> node, Map<String, Map<String, Usage>> pods) {
  /** A node that told nothing. */
  static final Summary NONE = new Summary(Optional.empty(), Map.of());

  /** Reads a document; what it lacks was not measured. */
  static Summary of(JsonNode document) {
    Map<String, Map<String, Usage>> pods = new HashMap<>();
    for (JsonNode pod : document.path("pods")) {
      Map<String, Usage> containers = containers(pod);
      if (!containers.isEmpty()) {
        pods.put(
            ObjectStore.key(
                Json.text(pod, "podRef", "namespace"), Json.text(pod, "podRef", "name")),
            containers);
      }
    }
    return new Summary(Usage.of(document.path("node")), pods);
  }

  private static Map<String, Usage> containers(JsonNode pod) {
    Map<String, Usage> containers = new LinkedHashMap<>();
    for (JsonNode container : pod.path("containers")) {
      Optional<Usage> usage = Usage.of(container);
      if (usage.isEmpty()) {
        return Map.of();
      }
      containers.put(Json.text(container, "name"), usage.get());
    }
    return containers;
  }
}
