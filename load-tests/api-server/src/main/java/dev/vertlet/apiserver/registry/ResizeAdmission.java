package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.ApiException.Cause;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.PodResources;
import dev.vertlet.apiserver.api.Quantities;
import dev.vertlet.apiserver.api.ResourceType;
import dev.vertlet.apiserver.store.ObjectStore;
import dev.vertlet.apiserver.store.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * Whether the node of a pod can have the pod resized: the admission plugins
 * NodeDeclaredFeatureValidator and PodResizeValidator, which every cluster runs.
 */
final class ResizeAdmission {
  private static final String INIT = "InPlacePodVerticalScalingInitContainers";

  private final ObjectStore store;
  private final Optional<Resource> nodes;

  ResizeAdmission(ObjectStore store, Resources resources) {
    this.store = store;
    this.nodes = resources.find("v1", "nodes");
  }

  /** Throws for a resize that the node cannot have. */
  void check(ResourceType pods, ObjectNode next, ObjectNode current) {
    String name = Json.text(next, "metadata", "name");
    String node = Json.text(next, "spec", "nodeName");
    if (node.isEmpty() || nodes.isEmpty() || next.path("spec").equals(current.path("spec"))) {
      return;
    }
    StoredObject found =
        store
            .get(nodes.get().storage(), "", node)
            .orElseThrow(
                () ->
                    ApiException.forbidden(
                        pods, name, "node \"%s\" not found".formatted(node), List.of()));
    declared(pods, name, next, current, found);
    String os = Json.text(found.json(), "metadata", "labels", "kubernetes.io/os");
    if (!os.isEmpty() && !os.equals("linux")) {
      throw refused(
          pods,
          name,
          "pod resize is only supported on linux nodes, node \"%s\" is \"%s\"".formatted(node, os),
          "UnsupportedPlatform");
    }
    allocatable(pods, name, next, found);
  }

  private static void declared(
      ResourceType pods, String name, ObjectNode next, ObjectNode current, StoredObject node) {
    JsonNode before = Json.at(current, "spec", "initContainers");
    for (int i = 0; i < before.size(); i++) {
      boolean sidecar = Json.text(before.path(i), "restartPolicy").equals("Always");
      JsonNode made = Json.at(next, "spec", "initContainers").path(i).path("resources");
      if (!sidecar && !made.equals(before.path(i).path("resources")) && !declares(node)) {
        throw ApiException.forbidden(
            pods,
            name,
            "pod update requires features %s which are not available on node \"%s\""
                .formatted(INIT, node.name()),
            List.of());
      }
    }
  }

  private static boolean declares(StoredObject node) {
    for (JsonNode feature : Json.at(node.json(), "status", "declaredFeatures")) {
      if (feature.asText().equals(INIT)) {
        return true;
      }
    }
    return false;
  }

  private static void allocatable(
      ResourceType pods, String name, ObjectNode next, StoredObject node) {
    JsonNode has = Json.at(node.json(), "status", "allocatable");
    List<String> lacks = new ArrayList<>();
    lack("cpu", Quantities::milli, next, has, lacks);
    lack("memory", Quantities::value, next, has, lacks);
    if (!lacks.isEmpty()) {
      throw refused(
          pods,
          name,
          "node didn't have enough allocatable resources: " + String.join("; ", lacks),
          "NodeCapacity");
    }
  }

  private static void lack(
      String resource,
      ToLongFunction<JsonNode> amount,
      ObjectNode pod,
      JsonNode has,
      List<String> lacks) {
    JsonNode requested = PodResources.requests(pod.path("spec")).get(resource);
    long asked = requested == null ? 0 : amount.applyAsLong(requested);
    long there = has.has(resource) ? amount.applyAsLong(has.path(resource)) : 0;
    if (asked > there) {
      lacks.add("%s, requested: %d, allocatable: %d".formatted(resource, asked, there));
    }
  }

  private static ApiException refused(ResourceType pods, String name, String why, String reason) {
    return ApiException.forbidden(pods, name, why, List.of(new Cause(reason, "", "")));
  }
}
