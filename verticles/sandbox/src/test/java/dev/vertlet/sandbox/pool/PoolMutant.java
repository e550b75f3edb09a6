package dev.vertlet.sandbox.pool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.sandbox.PodTree;
import dev.vertlet.sandbox.Pods;

/** Mistakes that the simulation has to find. */
enum PoolMutant {
  NONE,
  /** Writes over whatever is there. */
  CHECKS_NO_VERSION,
  /** Says that a sandbox runs before it does. */
  SKIPS_WAITING,
  /** Forgets to write the state with the label. */
  WRITES_NO_STATE,
  /** Never hears that a pod is gone. */
  DEAF_TO_DELETIONS;

  JsonNode update(JsonNode pod, SimulatedPods server) {
    ObjectNode changed = pod.deepCopy();
    ObjectNode metadata = (ObjectNode) changed.path("metadata");
    if (this == CHECKS_NO_VERSION) {
      metadata.put(
          "resourceVersion",
          server.get(PodTree.name(pod)).path("metadata").path("resourceVersion").asText());
    }
    if (this == WRITES_NO_STATE && metadata.path("annotations") instanceof ObjectNode annotations) {
      annotations.put(Pods.NAMES.state(), "{\"phase\":\"completed\"}");
    }
    if (this == SKIPS_WAITING
        && PodTree.label(changed, Pods.NAMES.phase()).equals("starting")
        && metadata.path("labels") instanceof ObjectNode labels
        && metadata.path("annotations") instanceof ObjectNode annotations) {
      labels.put(Pods.NAMES.phase(), "running");
      annotations.put(Pods.NAMES.state(), "{\"phase\":\"completed\"}");
    }
    return changed;
  }
}
