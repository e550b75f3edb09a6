package dev.vertlet.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/** Pods that tests take apart. */
public final class Pods {
  public static final SandboxNames NAMES = SandboxNames.AGENTBOX;
  public static final ObjectMapper JSON = new ObjectMapper();

  private Pods() {}

  /** {@code sha256:} and 64 times this digit. */
  public static String digest(char digit) {
    return "sha256:" + String.valueOf(digit).repeat(64);
  }

  /** A running pod with one container {@code sandbox}, in a phase. */
  public static ObjectNode pod(String name, String phase, String image, char digest, String id) {
    ObjectNode pod = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "Pod");
    ObjectNode metadata = pod.putObject("metadata");
    metadata
        .put("name", name)
        .put("namespace", "default")
        .put("uid", "uid-" + name)
        .put("resourceVersion", "1")
        .put("creationTimestamp", "2025-12-31T23:50:00Z");
    if (!phase.isEmpty()) {
      metadata.putObject("labels").put(NAMES.phase(), phase);
    }
    metadata.putObject("annotations");
    pod.putObject("spec").putArray("containers");
    ObjectNode status = pod.putObject("status").put("phase", "Running");
    status.putArray("conditions").addObject().put("type", "Ready").put("status", "True");
    status.putArray("containerStatuses");
    return with(pod, "sandbox", image, digest, id);
  }

  /** One more container, and its status. */
  public static ObjectNode with(
      ObjectNode pod, String container, String image, char digest, String id) {
    spec(pod).withArray("containers").addObject().put("name", container).put("image", image);
    status(pod)
        .withArray("containerStatuses")
        .addObject()
        .put("name", container)
        .put("imageID", "repo@" + digest(digest))
        .put("containerID", id)
        .put("restartCount", 0);
    return pod;
  }

  public static ObjectNode spec(ObjectNode pod) {
    return (ObjectNode) pod.path("spec");
  }

  public static ObjectNode status(ObjectNode pod) {
    return (ObjectNode) pod.path("status");
  }

  /** The status of a container, to be changed. */
  public static ObjectNode status(JsonNode pod, String container) {
    return (ObjectNode) PodTree.status(pod, container);
  }

  public static ObjectNode annotate(ObjectNode pod, String key, String value) {
    PodTree.object(PodTree.object(pod, "metadata"), "annotations").put(key, value);
    return pod;
  }

  public static ObjectNode label(ObjectNode pod, String key, String value) {
    PodTree.object(PodTree.object(pod, "metadata"), "labels").put(key, value);
    return pod;
  }

  public static JsonNode read(String json) {
    try {
      return JSON.readTree(json);
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The state in the annotation, as JSON. */
  public static JsonNode state(JsonNode pod) {
    return read(PodTree.annotation(pod, NAMES.state()));
  }

  /** As a server merges it; the version is the patch's. */
  public static ObjectNode patched(ObjectNode pod, ObjectNode patch) {
    ObjectNode next = pod.deepCopy();
    ObjectNode metadata = (ObjectNode) next.path("metadata");
    metadata.set("resourceVersion", patch.path("metadata").path("resourceVersion"));
    for (String map : List.of("labels", "annotations")) {
      for (Map.Entry<String, JsonNode> entry : patch.path("metadata").path(map).properties()) {
        ObjectNode all = metadata.withObject("/" + map);
        if (entry.getValue().isNull()) {
          all.remove(entry.getKey());
        } else {
          all.set(entry.getKey(), entry.getValue());
        }
      }
    }
    for (JsonNode wanted : patch.path("spec").path("containers")) {
      for (JsonNode container : next.path("spec").path("containers")) {
        if (container.path("name").equals(wanted.path("name"))) {
          ((ObjectNode) container).set("image", wanted.path("image"));
        }
      }
    }
    return next;
  }
}
