package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.ResourceType;
import dev.vertlet.apiserver.validation.Causes;
import dev.vertlet.apiserver.validation.FieldValue;
import dev.vertlet.apiserver.validation.PodChangeRules;
import dev.vertlet.apiserver.validation.PodRules;
import dev.vertlet.apiserver.validation.PodStatusRules;
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

  @Override
  public void applyDefaults(ObjectNode pod) {
    PodDefaults.apply(pod);
  }

  @Override
  public void prepareForCreate(ObjectNode pod) {
    PodAdmission.admit(pod);
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
      for (String field : List.of("ownerReferences", "deletionTimestamp")) {
        Json.copyField(Json.view(current, "metadata"), Json.child(next, "metadata"), field);
      }
      ObjectNode status = Json.child(next, "status");
      if (!status.has("qosClass")) {
        Json.copyField(Json.view(current, "status"), status, "qosClass");
      }
      keepObservedGeneration(status, Json.view(current, "status"));
    } else if (part == Part.MAIN) {
      PodAdmission.keepPriority(Json.child(next, "spec"), Json.view(current, "spec"));
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
    PodRules.created(FieldValue.of(pod, causes));
  }

  @Override
  public void validateUpdate(Part part, ObjectNode next, ObjectNode current, Causes causes) {
    FieldValue after = FieldValue.of(next, causes);
    FieldValue before = FieldValue.of(current, causes);
    switch (part) {
      case STATUS -> PodStatusRules.updated(after, before);
      case EPHEMERAL_CONTAINERS -> PodChangeRules.ephemeralContainers(after, before);
      case RESIZE -> {
        PodChangeRules.resized(after, before);
        PodResize.validate(next, current, causes);
      }
      default -> PodChangeRules.updated(after, before);
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
