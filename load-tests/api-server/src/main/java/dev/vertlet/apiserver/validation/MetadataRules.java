package dev.vertlet.apiserver.validation;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.apiserver.api.Timestamps;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** {@code metadata} of any object. */
public final class MetadataRules {
  private static final int ANNOTATIONS_BYTES = 256 * 1024;
  private static final String IMMUTABLE = "field is immutable";
  private static final String ORPHAN = "orphan";
  private static final String FOREGROUND = "foregroundDeletion";
  private static final Set<String> STANDARD_FINALIZERS = Set.of("kubernetes", ORPHAN, FOREGROUND);

  /** How names of a resource look. */
  public enum Names {
    SUBDOMAIN(Format.DNS_SUBDOMAIN),
    LABEL(Format.DNS_LABEL),
    /** Whatever can be part of a URL. */
    PATH_SEGMENT(Format.PATH_SEGMENT);

    private final Format format;

    Names(Format format) {
      this.format = format;
    }
  }

  private MetadataRules() {}

  /**
   * Checks the metadata of a new object, whose name has been generated.
   *
   * @param core whether finalizers without a domain must be the standard ones, as in the core group
   */
  public static void created(FieldValue object, Names names, boolean core) {
    FieldValue metadata = object.at("metadata");
    metadata.at("generateName").checkAny(names.format.asBeginning());
    FieldValue name = metadata.at("name");
    if (name.isEmpty()) {
      name.required("name or generateName is required");
    } else {
      name.check(names.format);
    }
    labels(metadata.at("labels"));
    annotations(metadata.at("annotations"));
    owners(metadata.at("ownerReferences"));
    FieldValue finalizers = metadata.at("finalizers");
    qualifiedFinalizers(finalizers);
    if (core) {
      standardFinalizers(finalizers);
    }
  }

  /** Checks what has changed in the metadata of an object. */
  public static void updated(FieldValue next, FieldValue current, boolean core) {
    FieldValue metadata = next.at("metadata");
    FieldValue old = current.at("metadata");
    FieldValue finalizers = metadata.at("finalizers");
    boolean same = sameJson(finalizers, old.at("finalizers"));
    if (!sameJson(metadata.at("uid"), old.at("uid"))) {
      metadata.at("uid").invalid(IMMUTABLE);
    }
    deletion(metadata, old);
    if (old.at("deletionTimestamp").isPresent() && !same) {
      refuseNewFinalizers(finalizers, old.at("finalizers"));
    }
    if (!sameJson(metadata.at("labels"), old.at("labels"))) {
      labels(metadata.at("labels"));
    }
    if (!sameJson(metadata.at("annotations"), old.at("annotations"))) {
      annotations(metadata.at("annotations"));
    }
    if (!sameJson(metadata.at("ownerReferences"), old.at("ownerReferences"))) {
      owners(metadata.at("ownerReferences"));
    }
    if (core && !same) {
      qualifiedFinalizers(finalizers);
      standardFinalizers(finalizers);
    }
  }

  /** Updates neither begin a deletion nor change one. */
  private static void deletion(FieldValue metadata, FieldValue old) {
    FieldValue time = metadata.at("deletionTimestamp");
    if (!sameJson(time, old.at("deletionTimestamp"))) {
      String shown = Timestamps.seconds(OffsetDateTime.parse(time.text()).toInstant());
      time.invalid(GoText.quoted(shown), IMMUTABLE);
    }
    FieldValue seconds = metadata.at("deletionGracePeriodSeconds");
    if (!sameJson(seconds, old.at("deletionGracePeriodSeconds"))) {
      seconds.invalid(IMMUTABLE);
    }
  }

  private static boolean sameJson(FieldValue one, FieldValue other) {
    return one.json().equals(other.json());
  }

  /** Labels, and whatever else are labels, such as a node selector. */
  static void labels(FieldValue labels) {
    for (String key : labels.keys()) {
      for (String problem : Format.QUALIFIED_NAME.problems(key)) {
        labels.invalid(GoText.quoted(key), problem);
      }
      String value = labels.json().path(key).asText();
      for (String problem : Format.LABEL_VALUE.problems(value)) {
        labels.invalid(GoText.quoted(value), problem);
      }
    }
  }

  static void annotations(FieldValue annotations) {
    long size = 0;
    for (String key : annotations.keys()) {
      for (String problem : Format.ANNOTATION_KEY.problems(key)) {
        annotations.invalid(GoText.quoted(key), problem);
      }
      size += bytes(key) + bytes(annotations.json().path(key).asText());
    }
    if (size > ANNOTATIONS_BYTES) {
      annotations.tooLong(ANNOTATIONS_BYTES);
    }
  }

  /** The length of a text in UTF-8. */
  static long bytes(String text) {
    return text.getBytes(UTF_8).length;
  }

  private static void owners(FieldValue owners) {
    String controller = "";
    for (FieldValue owner : owners.items()) {
      owner(owners, owner);
      if (owner.at("controller").isTrue()) {
        String name = owner.at("kind").text() + "/" + owner.at("name").text();
        if (!controller.isEmpty()) {
          owners.invalid(
              "Only one reference can have Controller set to true. Found \"true\" in references for %s and %s"
                  .formatted(controller, name));
        } else {
          controller = name;
        }
      }
    }
  }

  /** The real server leaves positions out of these paths. */
  private static void owner(FieldValue owners, FieldValue owner) {
    if (owner.at("apiVersion").isEmpty()) {
      owners.at("apiVersion").invalid("\"\"", "version must not be empty");
    }
    for (String field : List.of("kind", "name", "uid")) {
      if (owner.at(field).isEmpty()) {
        owners.at(field).invalid("\"\"", "must not be empty");
      }
    }
    if (owner.at("apiVersion").is("v1") && owner.at("kind").is("Event")) {
      owners.invalid(owner.json().toString(), "/v1, Kind=Event is disallowed from being an owner");
    }
  }

  private static void qualifiedFinalizers(FieldValue finalizers) {
    Set<String> all = texts(finalizers.json());
    for (String finalizer : all) {
      for (String problem : Format.QUALIFIED_NAME.problems(finalizer)) {
        finalizers.invalid(GoText.quoted(finalizer), problem);
      }
    }
    if (all.containsAll(Set.of(ORPHAN, FOREGROUND))) {
      finalizers.invalid("finalizer %s and %s cannot be both set".formatted(ORPHAN, FOREGROUND));
    }
  }

  private static void standardFinalizers(FieldValue finalizers) {
    finalizers.items().forEach(MetadataRules::standardFinalizer);
  }

  private static void standardFinalizer(FieldValue finalizer) {
    if (finalizer.text().indexOf('/') < 0 && !STANDARD_FINALIZERS.contains(finalizer.text())) {
      finalizer.invalid("name is neither a standard finalizer name nor is it fully qualified");
    }
  }

  /** Checks one finalizer. */
  static void finalizer(FieldValue finalizer) {
    finalizer.check(Format.QUALIFIED_NAME);
    standardFinalizer(finalizer);
  }

  private static void refuseNewFinalizers(FieldValue finalizers, FieldValue old) {
    Set<String> added = texts(finalizers.json());
    added.removeAll(texts(old.json()));
    if (!added.isEmpty()) {
      finalizers.forbidden(
          "no new finalizers can be added if the object is being deleted, found new finalizers []string{\"%s\"}"
              .formatted(String.join("\", \"", added)));
    }
  }

  /** The texts of a list. */
  static Set<String> texts(JsonNode list) {
    Set<String> texts = new LinkedHashSet<>();
    list.forEach(text -> texts.add(text.asText()));
    return texts;
  }

  /** Checks keys that an object's fields stand for. */
  static void keys(FieldValue map, Format format, Collection<String> keys) {
    for (String key : keys) {
      for (String problem : format.problems(key)) {
        map.key(key).invalid(GoText.quoted(key), problem);
      }
    }
  }
}
