package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.ResourceType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Pods: graceful deletion, an almost immutable spec, and a status only the status subresource
 * writes.
 */
final class PodStrategy implements Strategy {
  private static final Set<String> LABELS =
      Set.of(
          "spec.nodeName",
          "spec.restartPolicy",
          "spec.schedulerName",
          "spec.serviceAccountName",
          "spec.hostNetwork",
          "status.phase",
          "status.podIP",
          "status.nominatedNodeName");

  /** Fields of the spec a plain update may change. */
  private static final List<String> MUTABLE =
      List.of(
          "activeDeadlineSeconds",
          "tolerations",
          "terminationGracePeriodSeconds",
          "schedulingGates");

  private static final List<String> CONTAINERS = List.of("containers", "initContainers");

  @Override
  public void applyDefaults(ObjectNode pod) {
    PodDefaults.apply(pod);
  }

  @Override
  public void prepareForCreate(ObjectNode pod) {
    PodDefaults.admit(pod);
    Json.child(pod, "metadata").put("generation", 1);
    ObjectNode status =
        pod.putObject("status").put("phase", "Pending").put("qosClass", PodQos.of(pod));
    if (!Json.at(pod, "spec", "schedulingGates").isEmpty()) {
      status
          .putArray("conditions")
          .addObject()
          .put("type", "PodScheduled")
          .put("status", "False")
          .putNull("lastProbeTime")
          .set("lastTransitionTime", Json.at(pod, "metadata", "creationTimestamp"));
      ((ObjectNode) status.path("conditions").path(0))
          .put("reason", "SchedulingGated")
          .put("message", "Scheduling is blocked due to non-empty scheduling gates");
    }
  }

  @Override
  public void prepareForUpdate(Part part, ObjectNode next, ObjectNode current) {
    if (part == Part.STATUS) {
      // the status endpoint must not touch owners, old kubelets corrupted them
      Json.copyField(
          Json.view(current, "metadata"), Json.child(next, "metadata"), "ownerReferences");
      ObjectNode status = Json.child(next, "status");
      if (!status.has("qosClass")) {
        Json.copyField(Json.view(current, "status"), status, "qosClass");
      }
      keepObservedGeneration(status, Json.view(current, "status"));
    }
  }

  /** A writer that does not know {@code observedGeneration} does not erase it. */
  private static void keepObservedGeneration(ObjectNode next, ObjectNode current) {
    if (!next.has("observedGeneration")) {
      Json.copyField(current, next, "observedGeneration");
    }
    Map<String, JsonNode> old = new HashMap<>();
    current
        .path("conditions")
        .forEach(condition -> old.put(condition.path("type").asText(), condition));
    for (JsonNode condition : next.path("conditions")) {
      if (condition instanceof ObjectNode object
          && !object.has("observedGeneration")
          && old.get(object.path("type").asText()) instanceof ObjectNode before) {
        Json.copyField(before, object, "observedGeneration");
      }
    }
  }

  @Override
  public void validate(ObjectNode pod, Causes causes) {
    JsonNode containers = Json.at(pod, "spec", "containers");
    if (containers.isEmpty()) {
      causes.required("spec.containers", "");
    }
    for (int i = 0; i < containers.size(); i++) {
      if (containers.path(i).path("name").asText().isEmpty()) {
        causes.required("spec.containers[%d].name".formatted(i), "");
      }
      if (containers.path(i).path("image").asText().isEmpty()) {
        causes.required("spec.containers[%d].image".formatted(i), "");
      }
    }
  }

  @Override
  public void validateUpdate(Part part, ObjectNode next, ObjectNode current, Causes causes) {
    if (part == Part.STATUS) {
      validateAddresses(next, causes);
      JsonNode conditions = Json.at(next, "status", "conditions");
      for (int i = 0; i < conditions.size(); i++) {
        if (conditions.path(i).path("type").asText().isEmpty()) {
          causes.invalid(
              "status.conditions[%d].Type".formatted(i), "\"\"", "name part must be non-empty");
        }
      }
      return;
    } else if (part == Part.EPHEMERAL_CONTAINERS) {
      validateEphemeralContainers(next, current, causes);
      return;
    } else if (part == Part.RESIZE) {
      PodResize.validate(next, current, causes);
      return;
    }
    for (JsonNode gate : Json.at(next, "spec", "schedulingGates")) {
      if (!contains(Json.at(current, "spec", "schedulingGates"), gate)) {
        causes.forbidden(
            "spec.schedulingGates",
            "only deletion is allowed, but found new scheduling gate '%s'"
                .formatted(Json.text(gate, "name")));
      }
    }
    if (!frozenSpec(next).equals(frozenSpec(current))) {
      causes.forbidden(
          "spec",
          "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,"
              + "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),"
              + "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)");
    }
  }

  /** Debug containers only ever come. */
  private static void validateEphemeralContainers(
      ObjectNode next, ObjectNode current, Causes causes) {
    Map<String, JsonNode> after = new HashMap<>();
    String list = "ephemeralContainers";
    Json.at(next, "spec", list).forEach(one -> after.put(one.path("name").asText(), one));
    for (JsonNode old : Json.at(current, "spec", list)) {
      String name = old.path("name").asText();
      if (!after.containsKey(name)) {
        causes.forbidden(
            "spec." + list,
            "existing ephemeral containers \"%s\" may not be removed\n".formatted(name));
      } else if (!old.equals(after.get(name))) {
        causes.forbidden(
            "spec." + list,
            "existing ephemeral containers \"%s\" may not be changed\n".formatted(name));
      }
    }
  }

  private static boolean contains(JsonNode list, JsonNode wanted) {
    for (JsonNode item : list) {
      if (item.equals(wanted)) {
        return true;
      }
    }
    return false;
  }

  private static ObjectNode frozenSpec(ObjectNode pod) {
    ObjectNode spec = Json.objectAt(pod, "spec").map(ObjectNode::deepCopy).orElseGet(Json::object);
    spec.remove(MUTABLE);
    for (String list : CONTAINERS) {
      for (JsonNode container : spec.path(list)) {
        if (container instanceof ObjectNode object) {
          object.remove(List.of("image", "imagePullPolicy"));
        }
      }
    }
    return spec;
  }

  private static void validateAddresses(ObjectNode pod, Causes causes) {
    JsonNode ips = Json.at(pod, "status", "podIPs");
    int v6 = 0;
    StringBuilder printed = new StringBuilder();
    for (JsonNode ip : ips) {
      String address = ip.path("ip").asText();
      v6 += address.indexOf(':') >= 0 ? 1 : 0;
      printed
          .append(printed.isEmpty() ? "" : ",")
          .append("{\"IP\":\"")
          .append(address)
          .append("\"}");
    }
    if (v6 > 1 || ips.size() - v6 > 1) {
      causes.invalid(
          "status.podIPs",
          "[" + printed + "]",
          "may specify no more than one IP for each IP family");
    }
  }

  @Override
  public OptionalLong gracePeriod(ObjectNode pod, OptionalLong requested) {
    String phase = Json.text(pod, "status", "phase");
    if (Json.text(pod, "spec", "nodeName").isEmpty()
        || phase.equals("Failed")
        || phase.equals("Succeeded")) {
      return OptionalLong.of(0);
    }
    long period = requested.orElse(Json.at(pod, "spec", "terminationGracePeriodSeconds").asLong(0));
    return OptionalLong.of(period < 0 ? 1 : period);
  }

  @Override
  public boolean returnsDeleted() {
    return true;
  }

  @Override
  public boolean countsGenerations() {
    return true;
  }

  @Override
  public Set<String> fieldLabels() {
    return LABELS;
  }

  @Override
  public String field(ObjectNode pod, String label) {
    if (label.equals("spec.hostNetwork")) {
      return Boolean.toString(Json.at(pod, "spec", "hostNetwork").asBoolean(false));
    }
    return FieldPaths.text(pod, label);
  }

  @Override
  public ApiException unknownFieldLabel(ResourceType type, String label) {
    return ApiException.badRequest("field label not supported: " + label);
  }

  @Override
  public ObjectNode zeroValue() {
    ObjectNode zero = Json.object();
    zero.putObject("spec").putNull("containers"); // as the real server prints it
    zero.putObject("status");
    return zero;
  }
}
