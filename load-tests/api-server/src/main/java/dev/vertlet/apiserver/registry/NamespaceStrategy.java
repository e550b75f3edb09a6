package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.ResourceType;
import dev.vertlet.apiserver.validation.Causes;
import dev.vertlet.apiserver.validation.FieldValue;
import dev.vertlet.apiserver.validation.MetadataRules.Names;
import dev.vertlet.apiserver.validation.NamespaceRules;
import java.util.Set;

/** Namespaces. */
final class NamespaceStrategy implements Strategy {
  static final String TERMINATING = "Terminating";

  @Override
  public void applyDefaults(ObjectNode namespace) {
    Json.child(Json.child(namespace, "metadata"), "labels")
        .put("kubernetes.io/metadata.name", Json.text(namespace, "metadata", "name"));
  }

  @Override
  public void prepareForCreate(ObjectNode namespace) {
    namespace.putObject("spec").putArray("finalizers").add("kubernetes");
    namespace.putObject("status").put("phase", "Active");
  }

  @Override
  public void prepareForUpdate(Part part, ObjectNode next, ObjectNode current) {
    Json.copyField(current, next, "spec"); // its finalizers have a subresource of their own
  }

  @Override
  public Names names() {
    return Names.LABEL;
  }

  @Override
  public void validateUpdate(Part part, ObjectNode next, ObjectNode current, Causes causes) {
    if (part == Part.STATUS) {
      NamespaceRules.statusUpdated(FieldValue.of(next, causes));
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
