package dev.vertlet.model.wire;

import dev.vertlet.model.PodRef;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the fields of one {@code ObjectMeta} that vertlet uses. */
final class Metadata {
  private static final Fields META =
      Fields.of(
          "1 name",
          "3 namespace",
          "5 uid",
          "6 resourceVersion",
          "7 generation",
          "8 creationTimestamp",
          "9 deletionTimestamp",
          "10 deletionGracePeriodSeconds",
          "11 labels",
          "12 annotations",
          "13 ownerReferences");
  private static final Fields OWNER = Fields.of("1 kind", "6 controller");

  private String name = "";
  private String namespace = "";
  private String uid = "";
  private String resourceVersion = "";
  long generation;
  @Nullable Instant creationTimestamp;
  @Nullable Instant deletionTimestamp;
  @Nullable Long deletionGracePeriodSeconds;
  @Nullable String controllerKind;
  private final Map<String, String> labels = new HashMap<>();
  private final Map<String, String> annotations = new HashMap<>();

  /** Reads the current value. */
  void read(ObjectReader in) {
    in.enter();
    while (in.next(META)) {
      switch (in.field()) {
        case "name" -> name = in.shared(); // a label may have the same value (StatefulSet)
        case "namespace" -> namespace = in.shared();
        case "uid" -> uid = in.text();
        case "resourceVersion" -> resourceVersion = in.text();
        case "generation" -> generation = in.integer();
        case "creationTimestamp" -> creationTimestamp = in.time();
        case "deletionTimestamp" -> deletionTimestamp = in.time();
        case "deletionGracePeriodSeconds" -> deletionGracePeriodSeconds = in.integer();
        case "labels" -> in.entries(labels);
        case "annotations" -> in.entries(annotations);
        case "ownerReferences" -> readOwner(in);
      }
    }
  }

  private void readOwner(ObjectReader in) {
    String kind = "";
    boolean controller = false;
    in.enter();
    while (in.next(OWNER)) {
      switch (in.field()) {
        case "kind" -> kind = in.shared();
        case "controller" -> controller = in.flag();
      }
    }
    if (controller) {
      controllerKind = kind;
    }
  }

  PodRef ref(ObjectReader in) {
    if (name.isEmpty()) {
      throw in.malformed("no metadata.name");
    }
    if (uid.isEmpty()) {
      throw in.malformed("no metadata.uid");
    }
    return new PodRef(namespace, name, uid);
  }

  long resourceVersion(ObjectReader in) {
    return number(resourceVersion, in);
  }

  Map<String, String> labels() {
    return Map.copyOf(labels);
  }

  Map<String, String> annotations() {
    return Map.copyOf(annotations);
  }

  /** Parses a resource version. */
  static long number(String resourceVersion, ObjectReader in) {
    try {
      return Long.parseUnsignedLong(resourceVersion);
    } catch (NumberFormatException e) {
      throw in.malformed("metadata.resourceVersion is not a number");
    }
  }
}
