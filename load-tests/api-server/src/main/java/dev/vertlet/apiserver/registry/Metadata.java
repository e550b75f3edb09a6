package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.ResourceType;
import dev.vertlet.apiserver.api.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** {@code metadata}: what the system sets, what clients may set, and the order it is printed in. */
final class Metadata {
  /** Field order of {@code ObjectMeta} on the wire. */
  private static final List<String> ORDER =
      List.of(
          "name",
          "generateName",
          "namespace",
          "uid",
          "resourceVersion",
          "generation",
          "creationTimestamp",
          "deletionTimestamp",
          "deletionGracePeriodSeconds",
          "labels",
          "annotations",
          "ownerReferences",
          "finalizers",
          "managedFields");

  /** Fields only the system writes, restored on every update. */
  private static final List<String> SYSTEM =
      List.of("generateName", "generation", "creationTimestamp");

  /**
   * Letters without vowels and look-alikes, as {@code k8s.io/apimachinery/pkg/util/rand} uses them.
   */
  private static final String SUFFIX_LETTERS = "bcdfghjklmnpqrstvwxz2456789";

  private static final int SUFFIX_LENGTH = 5;

  /** 63, the length of a DNS label, less the suffix. */
  private static final int LONGEST_GENERATED_BASE = 58;

  private Metadata() {}

  /** Takes over what a client may choose and stamps the rest of a new object. */
  static void prepareForCreate(ObjectNode object, Instant now, RandomGenerator random) {
    ObjectNode metadata = Json.child(object, "metadata");
    String base = metadata.path("generateName").asText("");
    if (metadata.path("name").asText("").isEmpty() && !base.isEmpty()) {
      metadata.put("name", generateName(base, random));
    }
    metadata.put("uid", uuid(random));
    metadata.put("creationTimestamp", time(now));
    metadata.remove(List.of("deletionTimestamp", "deletionGracePeriodSeconds", "generation"));
    metadata.remove("managedFields"); // not tracked here: one of the written differences
  }

  private static String generateName(String base, RandomGenerator random) {
    StringBuilder name =
        new StringBuilder(base.substring(0, Math.min(base.length(), LONGEST_GENERATED_BASE)));
    for (int i = 0; i < SUFFIX_LENGTH; i++) {
      name.append(SUFFIX_LETTERS.charAt(random.nextInt(SUFFIX_LETTERS.length())));
    }
    return name.toString();
  }

  /** A version 4 UUID from the injected generator. */
  static String uuid(RandomGenerator random) {
    long high = (random.nextLong() & ~0xF000L) | 0x4000L;
    long low = (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
    return new UUID(high, low).toString();
  }

  /** RFC 3339 with whole seconds, the form of {@code metav1.Time}. */
  static String time(Instant instant) {
    return Timestamps.seconds(instant);
  }

  /**
   * Restores what clients cannot change. Marks of a deletion that no deletion made stay, so that
   * validation refuses them.
   */
  static void prepareForUpdate(ObjectNode next, ObjectNode current) {
    ObjectNode metadata = Json.child(next, "metadata");
    ObjectNode old = Json.view(current, "metadata");
    SYSTEM.forEach(field -> Json.copyField(old, metadata, field));
    metadata.remove("managedFields");
    if (old.has("deletionTimestamp")) {
      Json.copyField(old, metadata, "deletionTimestamp");
    }
    if (!metadata.has("deletionGracePeriodSeconds")) {
      Json.copyField(old, metadata, "deletionGracePeriodSeconds");
    }
    if (metadata.path("uid").asText("").isEmpty()) {
      Json.copyField(old, metadata, "uid");
    }
  }

  static List<String> finalizers(ObjectNode metadata) {
    List<String> names = new ArrayList<>();
    metadata.path("finalizers").forEach(name -> names.add(name.asText()));
    return names;
  }

  /** Refuses a body whose name or namespace contradicts the URL. */
  static void bindToUrl(ResourceType type, ObjectNode object, String namespace, String name) {
    ObjectNode metadata = Json.child(object, "metadata");
    String bodyNamespace = metadata.path("namespace").asText("");
    if (type.namespaced() && !bodyNamespace.isEmpty() && !bodyNamespace.equals(namespace)) {
      throw ApiException.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
    String bodyName = metadata.path("name").asText("");
    if (!name.isEmpty() && !bodyName.equals(name)) {
      throw ApiException.badRequest(
          bodyName.isEmpty()
              ? "name must be provided"
              : "the name of the object (%s) does not match the name on the URL (%s)"
                  .formatted(bodyName, name));
    }
    if (type.namespaced()) {
      metadata.put("namespace", namespace);
    } else {
      metadata.remove("namespace");
    }
  }

  /**
   * Puts metadata first and its fields in wire order; drops empty maps and lists as Go's omitempty
   * does.
   */
  static ObjectNode canonical(ObjectNode object) {
    ObjectNode metadata = Json.child(object, "metadata");
    ObjectNode ordered = Json.object();
    for (String field : ORDER) {
      JsonNode value = metadata.get(field);
      if (value != null && !(value.isContainerNode() && value.isEmpty())) {
        ordered.set(field, value);
      }
    }
    ObjectNode result = Json.object();
    result.set("metadata", ordered);
    for (var field : object.properties()) {
      String name = field.getKey();
      if (!name.equals("metadata") && !name.equals("kind") && !name.equals("apiVersion")) {
        result.set(name, field.getValue());
      }
    }
    return result;
  }
}
