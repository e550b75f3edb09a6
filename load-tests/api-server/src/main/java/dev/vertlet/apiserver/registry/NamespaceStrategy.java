package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.ResourceType;
import dev.vertlet.apiserver.validation.Causes;
import dev.vertlet.apiserver.validation.FieldValue;
import dev.vertlet.apiserver.validation.MetadataRules.Names;
import dev.vertlet.apiserver.validation.NamespaceRules;
import java.util.LinkedHashSet;
import java.util.Set;

/** Namespaces. */
final class NamespaceStrategy implements Strategy {
  static final String TERMINATING = "Terminating";

  /** Holds a namespace until its content has gone. */
  private static final String KUBERNETES = "kubernetes";

  @Override
  public void applyDefaults(ObjectNode namespace) {
    Json.child(Json.child(namespace, "metadata"), "labels")
        .put("kubernetes.io/metadata.name", Json.text(namespace, "metadata", "name"));
  }

  @Override
  public void prepareForCreate(ObjectNode namespace) {
    ObjectNode spec = Json.child(namespace, "spec");
    Set<String> finalizers = finalizers(spec);
    finalizers.add(KUBERNETES);
    put(spec, finalizers);
    namespace.putObject("status").put("phase", "Active");
  }

  @Override
  public void prepareForUpdate(Part part, ObjectNode next, ObjectNode current) {
    if (part == Part.FINALIZE) {
      ObjectNode spec = Json.child(next, "spec");
      put(spec, finalizers(spec));
    } else {
      Json.copyField(current, next, "spec");
    }
  }

  private static Set<String> finalizers(ObjectNode spec) {
    Set<String> finalizers = new LinkedHashSet<>();
    spec.path("finalizers").forEach(finalizer -> finalizers.add(finalizer.asText()));
    return finalizers;
  }

  private static void put(ObjectNode spec, Set<String> finalizers) {
    spec.remove("finalizers");
    if (!finalizers.isEmpty()) {
      ArrayNode list = spec.putArray("finalizers");
      finalizers.forEach(list::add);
    }
  }

  /** Takes away the hold on a namespace's content; returns whether there was one. */
  static boolean release(ObjectNode namespace) {
    ObjectNode spec = Json.child(namespace, "spec");
    Set<String> finalizers = finalizers(spec);
    boolean held = finalizers.remove(KUBERNETES);
    put(spec, finalizers);
    return held;
  }

  @Override
  public Names names() {
    return Names.LABEL;
  }

  @Override
  public void validate(ObjectNode namespace, Causes causes) {
    NamespaceRules.created(FieldValue.of(namespace, causes));
  }

  @Override
  public void validateUpdate(Part part, ObjectNode next, ObjectNode current, Causes causes) {
    if (part == Part.STATUS) {
      NamespaceRules.statusUpdated(FieldValue.of(next, causes));
    } else if (part == Part.FINALIZE) {
      NamespaceRules.finalized(FieldValue.of(next, causes));
    }
  }

  /** Its content has finalizers of its own in the spec, and there is no grace period. */
  @Override
  public boolean completesDeletion(ObjectNode next) {
    return isReleased(next);
  }

  static boolean isReleased(ObjectNode namespace) {
    ObjectNode metadata = Json.view(namespace, "metadata");
    return metadata.has("deletionTimestamp")
        && Metadata.finalizers(metadata).isEmpty()
        && Json.at(namespace, "spec", "finalizers").isEmpty();
  }

  @Override
  public boolean returnsDeleted() {
    return true;
  }

  @Override
  public Set<String> fieldLabels() {
    return Set.of("status.phase");
  }

  @Override
  public ApiException unknownFieldLabel(ResourceType type, String label) {
    return ApiException.badRequest("field label not supported: " + label);
  }

  @Override
  public ObjectNode zeroValue() {
    ObjectNode zero = Json.object();
    zero.putObject("spec");
    zero.putObject("status");
    return zero;
  }
}
