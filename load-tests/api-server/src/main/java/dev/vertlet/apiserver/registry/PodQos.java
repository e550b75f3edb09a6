package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import java.util.List;

/** The quality-of-service class of a pod. */
final class PodQos {
  private PodQos() {}

  static String of(ObjectNode pod) {
    boolean any = false;
    boolean guaranteed = true;
    for (String list : List.of("containers", "initContainers")) {
      for (JsonNode container : Json.at(pod, "spec", list)) {
        JsonNode limits = Json.at(container, "resources", "limits");
        JsonNode requests = Json.at(container, "resources", "requests");
        for (String resource : List.of("cpu", "memory")) {
          JsonNode limit = limits.path(resource);
          any |= limit.isValueNode() || requests.path(resource).isValueNode();
          guaranteed &= limit.isValueNode() && limit.equals(requests.path(resource));
        }
      }
    }
    if (!any) {
      return "BestEffort";
    }
    return guaranteed ? "Guaranteed" : "Burstable";
  }
}
