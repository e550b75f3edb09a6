package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.ResourceType;
import dev.vertlet.apiserver.store.StoredObject;
import dev.vertlet.apiserver.validation.Causes;
import dev.vertlet.apiserver.validation.MetadataRules.Names;
import java.util.Collection;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;

/** The rules of one resource, in the vocabulary of the real server's {@code pkg/registry}. */
public interface Strategy {
  /** Which part of an object a write may touch. */
  enum Part {
    MAIN,
    STATUS,
    /** {@code spec.ephemeralContainers} of a pod. */
    EPHEMERAL_CONTAINERS,
    /** CPU and memory of the containers of a pod. */
    RESIZE,
    /** Who decides on a request for a certificate. */
    APPROVAL,
    /** {@code spec.finalizers} of a namespace; its metadata, too. */
    FINALIZE
  }

  /** Rules of a resource that has none of its own. */
  Strategy PLAIN = new Strategy() {};

  /** Fills fields the client left out; called on every write, so it must be idempotent. */
  default void applyDefaults(ObjectNode object) {}

  /**
   * Gives the object its share of what all objects of the resource share, such as addresses; called
   * before it is prepared and checked.
   *
   * @param current what is updated, empty for a new object
   * @param stored all objects of the resource
   * @throws ApiException when the object asks for what it cannot have
   */
  default void allocate(
      ObjectNode next,
      ObjectNode current,
      Supplier<Collection<StoredObject>> stored,
      boolean dryRun) {}

  /** Clears or sets what a client may not choose on create. */
  default void prepareForCreate(ObjectNode object) {}

  /** Restores what this write may not change; status isolation has already happened. */
  default void prepareForUpdate(Part part, ObjectNode next, ObjectNode current) {}

  /** How names of this resource look. */
  default Names names() {
    return Names.SUBDOMAIN;
  }

  /** Whether a finalizer without a domain must be one of Kubernetes' own, as in the core group. */
  default boolean knowsFinalizers() {
    return true;
  }

  /** Checks a new object; its metadata has been looked at. */
  default void validate(ObjectNode object, Causes causes) {}

  /** Checks a change of an object; its metadata has been looked at. */
  default void validateUpdate(Part part, ObjectNode next, ObjectNode current, Causes causes) {}

  /**
   * Seconds between a delete and the removal.
   *
   * @param requested what the client asked for
   * @return empty when the resource knows no graceful deletion
   */
  default OptionalLong gracePeriod(ObjectNode current, OptionalLong requested) {
    return OptionalLong.empty();
  }

  /** Whether an update has taken away the last thing that held a terminating object. */
  default boolean completesDeletion(ObjectNode next) {
    return Deletion.completesDeletion(next);
  }

  /** Whether a delete answers with the object instead of a Status. */
  default boolean returnsDeleted() {
    return false;
  }

  /** Whether a PUT may leave out the resourceVersion. */
  default boolean allowsUnconditionalUpdate() {
    return true;
  }

  /** Whether a PUT creates what does not exist. */
  default boolean createsOnUpdate() {
    return false;
  }

  /** Whether {@code metadata.generation} counts changes of the spec. */
  default boolean countsGenerations() {
    return false;
  }

  /**
   * Field labels this resource selects by, besides {@code metadata.name} and {@code
   * metadata.namespace}.
   */
  default Set<String> fieldLabels() {
    return Set.of();
  }

  /** The value of one of {@link #fieldLabels()}. */
  default String field(ObjectNode object, String label) {
    return FieldPaths.text(object, label);
  }

  /** The failure for a field label the resource does not know. */
  default ApiException unknownFieldLabel(ResourceType type, String label) {
    return ApiException.badRequest(
        "\"%s\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\""
            .formatted(label));
  }

  /** What a BOOKMARK object carries besides its metadata: the zero value of the Go type. */
  default ObjectNode zeroValue() {
    return Json.object();
  }
}
