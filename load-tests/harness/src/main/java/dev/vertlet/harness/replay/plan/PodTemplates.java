package dev.vertlet.harness.replay.plan;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/**
 * Makes recorded pod templates fit for a replay: only its nodes run the pods, and only the
 * recording says how they live.
 */
final class PodTemplates {
  /**
   * Fields that refer to objects that no trace has, or that would make a second source of the pods'
   * lives.
   */
  private static final List<String> DROPPED =
      List.of(
          "nodeName",
          "volumes",
          "serviceAccountName",
          "serviceAccount",
          "imagePullSecrets",
          "runtimeClassName",
          "resourceClaims",
          "schedulingGates",
          "activeDeadlineSeconds",
          "readinessGates",
          "hostNetwork",
          "hostname",
          "subdomain");

  private static final List<String> DROPPED_OF_CONTAINERS =
      List.of(
          "env",
          "envFrom",
          "command",
          "args",
          "volumeMounts",
          "volumeDevices",
          "livenessProbe",
          "readinessProbe",
          "startupProbe",
          "lifecycle",
          "securityContext");

  /** Image of containers whose image the trace does not name. */
  private static final String UNKNOWN_IMAGE = "replayed";

  private final String id;

  /**
   * @param id of the replay
   */
  PodTemplates(String id) {
    this.id = id;
  }

  String id() {
    return id;
  }

  /**
   * Prepares a template or a pod.
   *
   * @param template object with metadata and spec; stays as it is
   * @param annotation key and value by which the provider finds the recorded lives
   * @param pulled whether the pods pulled their images; a node would do so only once
   */
  JsonObject prepared(JsonObject template, Annotation annotation, boolean pulled) {
    JsonObject made = template.copy();
    JsonObject metadata = object(made, "metadata");
    object(metadata, "labels").put(ReplayLabels.REPLAY, id);
    metadata.put("annotations", new JsonObject().put(annotation.key(), annotation.value()));
    JsonObject spec = object(made, "spec");
    DROPPED.forEach(spec::remove);
    spec.put("automountServiceAccountToken", false);
    object(spec, "nodeSelector").put(ReplayLabels.REPLAY, id);
    array(spec, "tolerations").add(toleration(id));
    for (String kind : List.of("initContainers", "containers")) {
      if (spec.getValue(kind) instanceof JsonArray containers) {
        containers.stream()
            .map(JsonObject.class::cast)
            .forEach(container -> prepare(container, pulled));
      }
    }
    return made;
  }

  /** Annotation of a pod. */
  record Annotation(String key, String value) {}

  private static void prepare(JsonObject container, boolean pulled) {
    DROPPED_OF_CONTAINERS.forEach(container::remove);
    if (container.getString("image", "").isEmpty()) {
      container.put("image", UNKNOWN_IMAGE);
    }
    container.put("imagePullPolicy", pulled ? "Always" : "IfNotPresent");
  }

  /** Toleration of the taint that keeps other pods off the replay's nodes. */
  static JsonObject toleration(String id) {
    return new JsonObject()
        .put("key", ReplayLabels.REPLAY)
        .put("operator", "Equal")
        .put("value", id)
        .put("effect", "NoSchedule");
  }

  /** The object in a field, which is made if it is missing. */
  static JsonObject object(JsonObject parent, String field) {
    if (!(parent.getValue(field) instanceof JsonObject)) {
      parent.put(field, new JsonObject());
    }
    return parent.getJsonObject(field);
  }

  private static JsonArray array(JsonObject parent, String field) {
    if (!(parent.getValue(field) instanceof JsonArray)) {
      parent.put(field, new JsonArray());
    }
    return parent.getJsonArray(field);
  }
}
