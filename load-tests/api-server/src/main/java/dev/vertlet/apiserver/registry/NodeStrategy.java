package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.ResourceType;
import dev.vertlet.apiserver.validation.Causes;
import dev.vertlet.apiserver.validation.FieldValue;
import dev.vertlet.apiserver.validation.NodeRules;
import java.util.List;
import java.util.Set;

/** Nodes: status may be set on create; a new node starts with the not-ready taint. */
final class NodeStrategy implements Strategy {
  static final String NOT_READY_TAINT = "node.kubernetes.io/not-ready";

  private static final List<String> NODE_INFO =
      List.of(
          "machineID",
          "systemUUID",
          "bootID",
          "kernelVersion",
          "osImage",
          "containerRuntimeVersion",
          "kubeletVersion",
          "kubeProxyVersion",
          "operatingSystem",
          "architecture");

  private final boolean configs;

  /**
   * @param configs whether Nodes may be given a config source; else those keep one that have it
   */
  NodeStrategy(boolean configs) {
    this.configs = configs;
  }

  @Override
  public void applyDefaults(ObjectNode node) {
    ObjectNode spec = Json.child(node, "spec");
    if (spec.path("taints").isEmpty()) {
      spec.remove("taints");
    }
    String range = spec.path("podCIDR").asText("");
    if (!range.isEmpty() && !range.equals(spec.path("podCIDRs").path(0).asText())) {
      spec.putArray("podCIDRs").add(range); // the old field wins when both are written
    } else if (range.isEmpty() && !spec.path("podCIDRs").isEmpty()) {
      spec.set("podCIDR", spec.path("podCIDRs").get(0));
    }
    ObjectNode status = Json.child(node, "status");
    if (!status.has("allocatable") && status.has("capacity")) {
      status.set("allocatable", status.get("capacity").deepCopy());
    }
    for (JsonNode condition : status.path("conditions")) {
      if (condition instanceof ObjectNode object) {
        putNullIfAbsent(object, "lastHeartbeatTime");
        putNullIfAbsent(object, "lastTransitionTime");
      }
    }
    ObjectNode endpoint = Json.child(Json.child(status, "daemonEndpoints"), "kubeletEndpoint");
    if (!endpoint.has("Port")) {
      endpoint.put("Port", 0);
    }
    ObjectNode info = Json.child(status, "nodeInfo");
    for (String field : NODE_INFO) {
      if (!info.has(field)) {
        info.put(field, "");
      }
    }
  }

  static void putNullIfAbsent(ObjectNode object, String field) {
    if (!object.has(field)) {
      object.putNull(field);
    }
  }

  @Override
  public void prepareForCreate(ObjectNode node) {
    ObjectNode spec = Json.child(node, "spec");
    if (!configs) {
      spec.remove("configSource"); // the feature is gone, the field only warns
      Json.child(node, "status").remove("config");
    }
    // the admission plugin TaintNodesByCondition
    ArrayNode taints =
        spec.get("taints") instanceof ArrayNode there ? there : spec.putArray("taints");
    for (JsonNode taint : taints) {
      if (taint.path("key").asText().equals(NOT_READY_TAINT)
          && taint.path("effect").asText().equals("NoSchedule")) {
        return;
      }
    }
    taints.addObject().put("key", NOT_READY_TAINT).put("effect", "NoSchedule");
  }

  @Override
  public void prepareForUpdate(Part part, ObjectNode next, ObjectNode current) {
    if (!configs && !current.path("spec").has("configSource")) {
      Json.child(next, "spec").remove("configSource");
    }
    if (!configs && !current.path("status").has("config")) {
      Json.child(next, "status").remove("config");
    }
  }

  @Override
  public void validate(ObjectNode node, Causes causes) {
    NodeRules.created(FieldValue.of(node, causes));
  }

  @Override
  public void validateUpdate(Part part, ObjectNode next, ObjectNode current, Causes causes) {
    NodeRules.updated(FieldValue.of(next, causes), FieldValue.of(current, causes));
  }

  @Override
  public Set<String> fieldLabels() {
    return Set.of("spec.unschedulable");
  }

  @Override
  public String field(ObjectNode node, String label) {
    return Boolean.toString(Json.at(node, "spec", "unschedulable").asBoolean(false));
  }

  @Override
  public ApiException unknownFieldLabel(ResourceType type, String label) {
    return ApiException.badRequest("field label not supported: " + label);
  }

  @Override
  public ObjectNode zeroValue() {
    ObjectNode zero = Json.object();
    applyDefaults(zero);
    return zero;
  }
}
