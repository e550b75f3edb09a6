package dev.vertlet.sandbox;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.model.Timestamps;
import dev.vertlet.sandbox.SandboxException.Reason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The update of a pod in progress, or its last one, as its annotation contains it. Unknown fields
 * are kept.
 *
 * @param phase starting, stopping or completed
 * @param targetImages by container; only changed ones
 * @param targetPodPhase phase label after the update; empty for unchanged
 * @param updateTimestamp when the update began, or completed; whole seconds, null when unknown
 * @param lastContainerStatuses the containers before the update, by name; empty once it is complete
 * @param stableContainerStatuses the containers at completion, by name; only of running sandboxes
 * @param unknown other fields by name
 */
public record InplaceState(
    String phase,
    Map<String, String> targetImages,
    String targetPodPhase,
    @Nullable Instant updateTimestamp,
    Map<String, LastStatus> lastContainerStatuses,
    Map<String, StableStatus> stableContainerStatuses,
    Map<String, JsonNode> unknown) {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final List<String> KNOWN =
      List.of(
          "phase",
          "targetImage",
          "targetImages",
          "targetPodPhase",
          "updateTimestamp",
          "lastContainerStatuses",
          "stableContainerStatuses");

  /**
   * A container before the update; both fields are empty if it had no status.
   *
   * @param containerId distinguishes the new container from the old one if both run the same image
   */
  public record LastStatus(String imageId, String containerId) {}

  /** A container at the completion of the update. */
  public record StableStatus(String containerId, int restartCount) {}

  public InplaceState {
    // sorted, as Go writes maps: equal states have equal encodings, whichever program wrote them
    targetImages = new TreeMap<>(targetImages);
    lastContainerStatuses = new TreeMap<>(lastContainerStatuses);
    stableContainerStatuses = new TreeMap<>(stableContainerStatuses);
    unknown = new LinkedHashMap<>(unknown);
  }

  /**
   * Reads the state of a pod.
   *
   * @return empty for a pod without one
   * @throws SandboxException {@link Reason#UNREADABLE_STATE}
   */
  public static Optional<InplaceState> of(JsonNode pod, SandboxNames names) {
    String text = PodTree.annotation(pod, names.state());
    return text.isEmpty() ? Optional.empty() : Optional.of(parse(names.state(), text));
  }

  private static InplaceState parse(String key, String text) {
    JsonNode json;
    try {
      json = JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw unreadable(key, "it is no JSON: " + e.getOriginalMessage());
    }
    if (!json.isObject() || !json.path("phase").isTextual()) {
      throw unreadable(key, "it must be a JSON object with a phase");
    }
    Map<String, LastStatus> last =
        map(
            key,
            json,
            "lastContainerStatuses",
            s -> new LastStatus(s.path("imageID").asText(""), s.path("containerID").asText("")));
    Map<String, String> targets = map(key, json, "targetImages", JsonNode::asText);
    String single = json.path("targetImage").asText("");
    if (targets.isEmpty() && !single.isEmpty() && last.size() == 1) {
      targets = Map.of(last.keySet().iterator().next(), single);
    }
    Map<String, JsonNode> unknown = new LinkedHashMap<>();
    json.fields()
        .forEachRemaining(
            field -> {
              if (!KNOWN.contains(field.getKey())) {
                unknown.put(field.getKey(), field.getValue());
              }
            });
    return new InplaceState(
        json.path("phase").asText(),
        targets,
        json.path("targetPodPhase").asText(""),
        time(key, json.path("updateTimestamp")),
        last,
        map(
            key,
            json,
            "stableContainerStatuses",
            s ->
                new StableStatus(
                    s.path("containerID").asText(""), s.path("restartCount").asInt(0))),
        unknown);
  }

  private static <T> Map<String, T> map(
      String key, JsonNode json, String field, Function<JsonNode, T> read) {
    JsonNode object = json.path(field);
    if (!object.isObject() && !object.isMissingNode() && !object.isNull()) {
      throw unreadable(key, field + " must be an object");
    }
    Map<String, T> map = new TreeMap<>();
    object.fields().forEachRemaining(e -> map.put(e.getKey(), read.apply(e.getValue())));
    return map;
  }

  private static @Nullable Instant time(String key, JsonNode time) {
    if (time.isMissingNode() || time.isNull()) {
      return null;
    }
    try {
      return Timestamps.parse(time.asText());
    } catch (IllegalArgumentException e) {
      throw unreadable(key, "updateTimestamp: " + e.getMessage());
    }
  }

  private static SandboxException unreadable(String key, String why) {
    return new SandboxException(
        Reason.UNREADABLE_STATE,
        Reason.UNREADABLE_STATE.text() + ": annotation " + key + ": " + why);
  }

  /** Whether images are being swapped. */
  public boolean inFlight() {
    return phase.equals(SandboxPhases.STARTING) || phase.equals(SandboxPhases.STOPPING);
  }

  /** Containers whose images are being swapped. */
  public List<String> updating() {
    return new ArrayList<>(
        lastContainerStatuses.isEmpty() ? targetImages.keySet() : lastContainerStatuses.keySet());
  }

  /** Encodes the state for the annotation. */
  public String encode() {
    ObjectNode json = JSON.createObjectNode().put("phase", phase);
    if (targetImages.size() == 1) {
      json.put("targetImage", targetImages.values().iterator().next());
    }
    if (!targetImages.isEmpty()) {
      targetImages.forEach(json.putObject("targetImages")::put);
    }
    put(json, "targetPodPhase", targetPodPhase);
    if (updateTimestamp != null) {
      json.put("updateTimestamp", Timestamps.format(updateTimestamp));
    }
    if (!lastContainerStatuses.isEmpty()) {
      ObjectNode last = json.putObject("lastContainerStatuses");
      lastContainerStatuses.forEach(
          (container, status) -> {
            ObjectNode entry = last.putObject(container);
            put(entry, "imageID", status.imageId);
            put(entry, "containerID", status.containerId);
          });
    }
    if (!stableContainerStatuses.isEmpty()) {
      ObjectNode stable = json.putObject("stableContainerStatuses");
      stableContainerStatuses.forEach(
          (container, status) -> {
            ObjectNode entry = stable.putObject(container);
            put(entry, "containerID", status.containerId);
            entry.put("restartCount", status.restartCount);
          });
    }
    unknown.forEach(json::set);
    return json.toString();
  }

  private static void put(ObjectNode json, String field, String text) {
    if (!text.isEmpty()) {
      json.put(field, text);
    }
  }

  /** Snapshot of those of the containers that have a status. */
  static Map<String, StableStatus> stable(JsonNode pod, Iterable<String> containers) {
    Map<String, StableStatus> stable = new TreeMap<>();
    for (String container : containers) {
      JsonNode status = PodTree.status(pod, container);
      if (status.isObject()) {
        stable.put(
            container,
            new StableStatus(
                status.path("containerID").asText(""), status.path("restartCount").asInt(0)));
      }
    }
    return stable;
  }
}
