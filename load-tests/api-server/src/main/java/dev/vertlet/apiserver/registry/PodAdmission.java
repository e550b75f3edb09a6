package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.ResourceType;
import java.util.List;
import java.util.Map;

/**
 * What the admission plugins that every cluster runs make of pods: DefaultTolerationSeconds,
 * Priority, RuntimeClass. There are the priority classes of the system, and no runtime classes.
 */
final class PodAdmission {
  /** The admission plugin DefaultTolerationSeconds: five minutes. */
  private static final int TOLERATION_SECONDS = 300;

  private static final String PREEMPTION = "PreemptLowerPriority";
  private static final Map<String, Integer> PRIORITIES =
      Map.of("system-cluster-critical", 2_000_000_000, "system-node-critical", 2_000_001_000);
  private static final ResourceType PODS = ResourceType.namespaced("v1", "pods", "Pod");

  private PodAdmission() {}

  /** What the default admission plugins add to a new pod. */
  static void admit(ObjectNode pod) {
    ObjectNode spec = Json.child(pod, "spec");
    ArrayNode tolerations =
        spec.get("tolerations") instanceof ArrayNode there ? there : spec.putArray("tolerations");
    tolerate(tolerations, "node.kubernetes.io/not-ready");
    tolerate(tolerations, "node.kubernetes.io/unreachable");
    priority(pod, spec);
    runtime(pod, spec);
  }

  private static void tolerate(ArrayNode tolerations, String taint) {
    for (JsonNode toleration : tolerations) {
      String key = toleration.path("key").asText("");
      String effect = toleration.path("effect").asText("");
      if ((key.equals(taint) || key.isEmpty())
          && (effect.isEmpty() || effect.equals("NoExecute"))) {
        return;
      }
    }
    tolerations
        .addObject()
        .put("key", taint)
        .put("operator", "Exists")
        .put("effect", "NoExecute")
        .put("tolerationSeconds", TOLERATION_SECONDS);
  }

  private static void priority(ObjectNode pod, ObjectNode spec) {
    String name = spec.path("priorityClassName").asText("");
    if (!name.isEmpty() && !PRIORITIES.containsKey(name)) {
      throw refused(pod, "no PriorityClass with name %s was found".formatted(name));
    }
    int priority = PRIORITIES.getOrDefault(name, 0);
    if (spec.has("priority") && spec.path("priority").asInt() != priority) {
      throw refused(
          pod,
          "the integer value of priority (%d) must not be provided in pod spec; priority admission controller computed %d from the given PriorityClass name"
              .formatted(spec.path("priority").asInt(), priority));
    }
    String preemption = spec.path("preemptionPolicy").asText(PREEMPTION);
    if (!preemption.equals(PREEMPTION)) {
      throw refused(
          pod,
          "the string value of PreemptionPolicy (%s) must not be provided in pod spec; priority admission controller computed %s from the given PriorityClass name"
              .formatted(preemption, PREEMPTION));
    }
    spec.put("priority", priority).put("preemptionPolicy", PREEMPTION);
  }

  /** A client that knows nothing of priorities does not erase them. */
  static void keepPriority(ObjectNode next, ObjectNode current) {
    for (String field : List.of("priority", "preemptionPolicy")) {
      if (!next.has(field)) {
        Json.copyField(current, next, field);
      }
    }
  }

  private static void runtime(ObjectNode pod, ObjectNode spec) {
    if (spec.has("runtimeClassName")) {
      throw refused(
          pod,
          "pod rejected: RuntimeClass \"%s\" not found"
              .formatted(spec.path("runtimeClassName").asText()));
    } else if (!spec.path("overhead").isEmpty()) {
      throw refused(
          pod,
          "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
    }
  }

  private static ApiException refused(ObjectNode pod, String why) {
    return ApiException.forbidden(PODS, Json.text(pod, "metadata", "name"), why, List.of());
  }
}
