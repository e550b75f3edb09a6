package dev.vertlet.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.model.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads a pod in the API server's JSON. The tree is kept whole and written back unchanged except
 * for an operation's changes, so that unknown fields survive.
 */
public final class PodTree {
  private PodTree() {}

  public static String name(JsonNode pod) {
    return pod.path("metadata").path("name").asText("");
  }

  public static String namespace(JsonNode pod) {
    return pod.path("metadata").path("namespace").asText("");
  }

  public static String uid(JsonNode pod) {
    return pod.path("metadata").path("uid").asText("");
  }

  /** Returns 0 for a pod that was never stored. */
  public static long resourceVersion(JsonNode pod) {
    return pod.path("metadata").path("resourceVersion").asLong(0);
  }

  /** Value of a label, empty without it. */
  public static String label(JsonNode pod, String key) {
    return pod.path("metadata").path("labels").path(key).asText("");
  }

  /** Value of an annotation, empty without it. */
  public static String annotation(JsonNode pod, String key) {
    return pod.path("metadata").path("annotations").path(key).asText("");
  }

  public static boolean hasAnnotation(JsonNode pod, String key) {
    return pod.path("metadata").path("annotations").has(key);
  }

  public static boolean isDeleting(JsonNode pod) {
    return !pod.path("metadata").path("deletionTimestamp").asText("").isEmpty();
  }

  public static boolean hasFinalizer(JsonNode pod, String finalizer) {
    for (JsonNode each : pod.path("metadata").path("finalizers")) {
      if (each.asText().equals(finalizer)) {
        return true;
      }
    }
    return false;
  }

  /** Creation time; empty if missing or unreadable. */
  public static Optional<Instant> created(JsonNode pod) {
    return time(pod.path("metadata").path("creationTimestamp").asText(""));
  }

  /** Time in an annotation; empty if missing or unreadable. */
  public static Optional<Instant> time(JsonNode pod, String annotation) {
    return time(annotation(pod, annotation));
  }

  private static Optional<Instant> time(String text) {
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Timestamps.parse(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** {@code status.phase}, empty if missing. */
  public static String podPhase(JsonNode pod) {
    return pod.path("status").path("phase").asText("");
  }

  public static boolean isReady(JsonNode pod) {
    for (JsonNode condition : pod.path("status").path("conditions")) {
      if (condition.path("type").asText().equals("Ready")) {
        return condition.path("status").asText().equals("True");
      }
    }
    return false;
  }

  /** Names of the containers whose images can be swapped, in the order of the spec. */
  public static List<String> containers(JsonNode pod) {
    List<String> names = new ArrayList<>();
    pod.path("spec").path("containers").forEach(c -> names.add(c.path("name").asText("")));
    return names;
  }

  /** Returns a missing node if there is no such container. */
  static JsonNode container(JsonNode pod, String name) {
    return named(pod.path("spec").path("containers"), name);
  }

  /** Image in the spec, empty if there is no such container. */
  public static String image(JsonNode pod, String container) {
    return container(pod, container).path("image").asText("");
  }

  /** Status of a container; a missing node if there is none. */
  public static JsonNode status(JsonNode pod, String container) {
    return named(pod.path("status").path("containerStatuses"), container);
  }

  private static JsonNode named(JsonNode array, String name) {
    for (JsonNode each : array) {
      if (each.path("name").asText().equals(name)) {
        return each;
      }
    }
    return array.path(name); // an array has no names: returns a missing node
  }

  /** Returns an object within an object; creates it if it is missing. */
  static ObjectNode object(ObjectNode parent, String key) {
    return parent.get(key) instanceof ObjectNode present ? present : parent.putObject(key);
  }
}
