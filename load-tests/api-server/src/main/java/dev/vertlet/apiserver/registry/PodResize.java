package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.validation.Causes;
import java.util.List;

/**
 * {@code pods/resize}: other CPU and memory for the containers of a pod, and nothing else.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/apis/core/validation/validation.go">
 *     ValidatePodResize, Kubernetes 1.36.3</a>
 */
final class PodResize {
  private static final String ONLY = "only cpu and memory resources are mutable";
  private static final List<String> RESIZABLE = List.of("cpu", "memory");
  private static final List<String> LISTS = List.of("containers", "initContainers");

  private PodResize() {}

  /**
   * Keeps of {@code next} only what a resize may change. Containers that came, went or have other
   * names stay as they were sent, so that validation refuses them.
   */
  static void isolate(ObjectNode next, ObjectNode current) {
    boolean same = true;
    for (String list : LISTS) {
      same &= Json.at(next, "spec", list).size() == Json.at(current, "spec", list).size();
    }
    if (!same) {
      return;
    }
    ObjectNode spec = Json.child(current.deepCopy(), "spec");
    for (String list : LISTS) {
      merge(spec, Json.at(next, "spec", list), list);
    }
    next.setAll(current.deepCopy());
    next.set("spec", spec);
  }

  private static void merge(ObjectNode spec, JsonNode sent, String list) {
    JsonNode kept = spec.path(list);
    for (int i = 0; i < sent.size(); i++) {
      if (!sent.path(i).path("name").equals(kept.path(i).path("name"))) {
        spec.set(list, sent);
        return;
      }
      for (String field : List.of("resources", "resizePolicy")) {
        Json.copyField((ObjectNode) sent.get(i), (ObjectNode) kept.get(i), field);
      }
    }
  }

  static void validate(ObjectNode next, ObjectNode current, Causes causes) {
    if (Json.at(current, "metadata", "annotations").has("kubernetes.io/config.mirror")) {
      causes.forbidden("", "static pods cannot be resized");
      return;
    }
    if (Json.text(current, "spec", "os", "name").equals("windows")) {
      causes.forbidden("", "windows pods cannot be resized");
      return;
    }
    if (!Json.text(current, "status", "qosClass").equals(PodQos.of(next))) {
      causes.invalid(
          "spec",
          "\"" + Json.text(current, "status", "qosClass") + "\"",
          "Pod QOS Class may not change as a result of resizing");
    }
    if (!supported(current)) {
      causes.forbidden("spec", "Pod running on node without support for resize");
    }
    boolean ordered = true;
    for (String list : LISTS) {
      ordered &= ordered(next, current, list, causes);
    }
    if (ordered) {
      removed(next, current, "initContainers", causes);
      removed(next, current, "containers", causes);
      changed(next, current, causes);
    }
  }

  /** By the first container that runs: a node that resizes tells what its containers have. */
  private static boolean supported(ObjectNode current) {
    for (JsonNode status : Json.at(current, "status", "containerStatuses")) {
      if (Json.at(status, "state").has("running")) {
        return status.has("resources");
      }
    }
    return true;
  }

  private static boolean ordered(ObjectNode next, ObjectNode current, String list, Causes causes) {
    JsonNode after = Json.at(next, "spec", list);
    JsonNode before = Json.at(current, "spec", list);
    if (after.size() != before.size()) {
      causes.forbidden("spec." + list, list + " may not be added or removed on resize");
      return false;
    }
    boolean ordered = true;
    for (int i = 0; i < before.size(); i++) {
      if (!after.path(i).path("name").equals(before.path(i).path("name"))) {
        causes.forbidden(
            "spec.%s[%d].name".formatted(list, i),
            list + " may not be renamed or reordered on resize");
        ordered = false;
      }
    }
    return ordered;
  }

  private static void removed(ObjectNode next, ObjectNode current, String list, Causes causes) {
    JsonNode before = Json.at(current, "spec", list);
    for (int i = 0; i < before.size(); i++) {
      for (String kind : List.of("requests", "limits")) {
        JsonNode old = Json.at(before.path(i), "resources", kind);
        JsonNode made = Json.at(Json.at(next, "spec", list).path(i), "resources", kind);
        if (old.properties().stream().anyMatch(one -> !made.has(one.getKey()))) {
          causes.forbidden(
              "spec.%s[%d].resources.%s".formatted(list, i, kind),
              "resource %s cannot be removed".formatted(kind));
        }
      }
    }
  }

  private static void changed(ObjectNode next, ObjectNode current, Causes causes) {
    for (String list : LISTS) {
      JsonNode before = Json.at(current, "spec", list);
      for (int i = 0; i < before.size(); i++) {
        JsonNode made = Json.at(next, "spec", list).path(i);
        if (!without(made).equals(without(before.path(i)))) {
          boolean init = list.equals("initContainers");
          causes.forbidden(
              init ? "spec.initContainers[%d]".formatted(i) : "spec",
              init
                  ? "only cpu and memory resources for init or sidecar containers are mutable"
                  : ONLY);
        }
      }
    }
  }

  /** A container without what may change. */
  private static JsonNode without(JsonNode container) {
    ObjectNode rest = container.deepCopy();
    for (String kind : List.of("requests", "limits")) {
      if (Json.at(rest, "resources", kind) instanceof ObjectNode amounts) {
        amounts.remove(RESIZABLE);
        if (amounts.isEmpty()) {
          ((ObjectNode) rest.get("resources")).remove(kind);
        }
      }
    }
    return rest;
  }
}
