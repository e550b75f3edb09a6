package dev.vertlet.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.model.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads a pod as it came from the API server. The tree is kept whole and written back as it was
 * read, but for what an operation changes: fields that nobody here knows survive.
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

  /** 0 for a pod that was never stored. */
  public static long resourceVersion(JsonNode pod) {
    return pod.path("metadata").path("resourceVersion").asLong(0);
  }

  /** Empty when there is none. */
  public static String label(JsonNode pod, String key) {
    return pod.path("metadata").path("labels").path(key).asText("");
  }

  /** Empty when there is none. */
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

  /** Empty where it is missing or unreadable. */
  public static Optional<Instant> created(JsonNode pod) {
    return time(pod.path("metadata").path("creationTimestamp").asText(""));
  }

  /** A time in an annotation; empty where it is missing or unreadable. */
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

  /** {@code status.phase}, empty before there is one. */
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

  /** Names of the containers that images can be swapped in, in the order of the spec. */
  public static List<String> containers(JsonNode pod) {
    List<String> names = new ArrayList<>();
    pod.path("spec").path("containers").forEach(c -> names.add(c.path("name").asText("")));
    return names;
  }

  /** A missing node when there is no such container. */
  static JsonNode container(JsonNode pod, String name) {
    return named(pod.path("spec").path("containers"), name);
  }

  /** The image in the spec, empty when there is no such container. */
  public static String image(JsonNode pod, String container) {
    return container(pod, container).path("image").asText("");
  }

  /** The container's status; a missing node when there is none. */
  public static JsonNode status(JsonNode pod, String container) {
    return named(pod.path("status").path("containerStatuses"), container);
  }

  private static JsonNode named(JsonNode array, String name) {
    for (JsonNode each : array) {
      if (each.path("name").asText().equals(name)) {
        return each;
      }
    }
    return array.path(name); // an array has no names: missing
  }

  /** An object within an object, made where there is none. */
  static ObjectNode object(ObjectNode parent, String key) {
    return parent.get(key) instanceof ObjectNode present ? present : parent.putObject(key);
  }
}
