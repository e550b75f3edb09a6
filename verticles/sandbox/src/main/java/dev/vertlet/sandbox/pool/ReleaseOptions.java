package dev.vertlet.sandbox.pool;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.model.Timestamps;
import dev.vertlet.sandbox.PodTree;
import dev.vertlet.sandbox.SandboxException;
import dev.vertlet.sandbox.SandboxException.Reason;
import dev.vertlet.sandbox.SandboxNames;
import dev.vertlet.sandbox.SandboxPhases;
import dev.vertlet.sandbox.UpdateOptions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The update that releases a pod. Pure. */
final class ReleaseOptions {
  private static final ObjectMapper JSON = new ObjectMapper();

  private ReleaseOptions() {}

  /**
   * Returns the update of a release.
   *
   * @param live the pod as the server holds it
   * @param id of the sandbox to end: no change for a pod that serves another id by now, or that is
   *     stopping or idle
   * @throws SandboxException {@link Reason#UNEXPECTED_PHASE} for a pod in none of the sandbox
   *     phases
   */
  static UpdateOptions of(
      JsonNode live, PoolSpec spec, String id, Stop stop, SandboxNames names, Instant now) {
    String phase = PodTree.label(live, names.phase());
    if (!PodTree.label(live, names.id()).equals(id)
        || phase.equals(SandboxPhases.STOPPING)
        || phase.equals(SandboxPhases.IDLE)) {
      return UpdateOptions.NONE;
    }
    if (!phase.equals(SandboxPhases.STARTING) && !phase.equals(SandboxPhases.RUNNING)) {
      throw new SandboxException(
          Reason.UNEXPECTED_PHASE,
          Reason.UNEXPECTED_PHASE.text() + ": it is \"" + phase + "\", not starting or running");
    }
    Stop why = stop == Stop.RELEASED && phase.equals(SandboxPhases.STARTING) ? Stop.CANCELED : stop;
    List<String> labels = new ArrayList<>(keys(live, names.managedLabels()));
    labels.add(names.managedBy());
    List<String> annotations = new ArrayList<>(keys(live, names.managedAnnotations()));
    annotations.addAll(List.of(names.idleTimeout(), names.startupTimeout(), names.lastActive()));
    Map<String, String> set = record(live, why, names, now);
    labels.removeIf(key -> key.equals(names.phase()) || key.equals(names.id()));
    annotations.removeIf(key -> key.equals(names.state()) || set.containsKey(key));
    return UpdateOptions.NONE
        .withImages(idleImages(live, spec))
        .withMetadata(Map.of(), set)
        .without(labels, annotations)
        .phases(SandboxPhases.STOPPING, SandboxPhases.IDLE)
        .expecting(phase);
  }

  /**
   * Idle images: the first container has the pool's idle image, if there is one; the others have
   * the template's.
   */
  static Map<String, String> idleImages(JsonNode pod, PoolSpec spec) {
    Map<String, String> images = new LinkedHashMap<>();
    List<String> containers = PodTree.containers(pod);
    for (int i = 0; i < containers.size(); i++) {
      String name = containers.get(i);
      ObjectNode template = spec.template();
      String own = template == null ? "" : PodTree.image(template, name);
      String image = i == 0 && !spec.idleImage().isEmpty() ? spec.idleImage() : own;
      if (!image.isEmpty()) {
        images.put(name, image);
      }
    }
    return images;
  }

  private static Map<String, String> record(
      JsonNode live, Stop stop, SandboxNames names, Instant now) {
    Map<String, String> set = new LinkedHashMap<>();
    set.put(names.stopReason(), stop.reason());
    set.put(names.terminatedAt(), Timestamps.format(now));
    put(set, names.failureReason(), stop.failureReason());
    put(set, names.failureMessage(), stop.failureMessage());
    put(set, names.exitCode(), stop.exitCode());
    ObjectNode images = JsonNodeFactory.instance.objectNode();
    List<String> containers = PodTree.containers(live);
    containers.forEach(c -> images.put(c, PodTree.image(live, c)));
    set.put(names.runningImages(), images.toString());
    if (!containers.isEmpty()) {
      put(
          set,
          names.containerId(),
          PodTree.status(live, containers.get(0)).path("containerID").asText(""));
    }
    return set;
  }

  private static void put(Map<String, String> set, String key, String value) {
    if (!value.isEmpty()) {
      set.put(key, value);
    }
  }

  /** Reads a list of keys; empty if another client wrote something else there. */
  private static List<String> keys(JsonNode pod, String annotation) {
    String text = PodTree.annotation(pod, annotation);
    List<String> keys = new ArrayList<>();
    if (!text.isEmpty()) {
      try {
        JSON.readTree(text).forEach(key -> keys.add(key.asText("")));
      } catch (JsonProcessingException e) {
        return List.of();
      }
    }
    keys.removeIf(String::isEmpty);
    return keys;
  }
}
