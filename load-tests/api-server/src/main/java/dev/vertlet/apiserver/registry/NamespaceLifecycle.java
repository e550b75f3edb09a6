package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.ResourceType;
import dev.vertlet.apiserver.store.ObjectStore;
import dev.vertlet.apiserver.store.StoredObject;
import java.time.Clock;
import java.util.List;

/**
 * Admission into namespaces and the two ends of their removal: the mark and the release. The
 * content in between is the namespace controller's.
 */
final class NamespaceLifecycle {
  private static final String NAMESPACES = "namespaces";

  /** What a cluster cannot lose. */
  private static final List<String> IMMORTAL = List.of("default", "kube-system", "kube-public");

  private final ObjectStore store;
  private final Resources resources;
  private final Clock clock;

  NamespaceLifecycle(ObjectStore store, Resources resources, Clock clock) {
    this.store = store;
    this.resources = resources;
    this.clock = clock;
  }

  boolean isNamespace(Resource resource) {
    return resource.storage().equals(NAMESPACES);
  }

  /** Refuses new objects in a namespace that does not exist or is going away. */
  void checkOpen(ResourceType type, String namespace, String name) {
    StoredObject home =
        store
            .get(NAMESPACES, "", namespace)
            .orElseThrow(
                () ->
                    ApiException.notFound(
                        ResourceType.cluster("v1", NAMESPACES, "Namespace"), namespace));
    if (isTerminating(home)) {
      throw ApiException.forbidden(
          type,
          name,
          "unable to create new content in namespace %s because it is being terminated"
              .formatted(namespace),
          List.of(
              new ApiException.Cause(
                  "NamespaceTerminating",
                  "metadata.namespace",
                  "namespace %s is being terminated".formatted(namespace))));
    }
  }

  private static boolean isTerminating(StoredObject namespace) {
    return namespace.json().path("metadata").has("deletionTimestamp");
  }

  /** Whether a terminating namespace waits for nothing in its spec: a delete removes it. */
  static boolean isFinalized(StoredObject namespace) {
    return isTerminating(namespace) && Json.at(namespace.json(), "spec", "finalizers").isEmpty();
  }

  Deletion.Outcome delete(StoredObject namespace, DeleteOptions options) {
    Resource resource = resources.find(NAMESPACES).orElseThrow();
    if (IMMORTAL.contains(namespace.name())) {
      throw ApiException.forbidden(
          resource.type(), namespace.name(), "this namespace may not be deleted", List.of());
    }
    Deletion.checkPreconditions(resource, namespace, options);
    if (options.dryRun() || isTerminating(namespace)) {
      return new Deletion.Outcome(namespace, false);
    }
    ObjectNode next = namespace.copy();
    Json.child(next, "metadata").put("deletionTimestamp", Metadata.time(clock.instant()));
    Json.child(next, "status").put("phase", NamespaceStrategy.TERMINATING);
    return new Deletion.Outcome(store.put(NAMESPACES, Metadata.canonical(next)), false);
  }

  /**
   * Releases a terminating namespace whose content has gone; other finalizers may still hold it.
   */
  void finish(String name) {
    StoredObject namespace = store.get(NAMESPACES, "", name).orElse(null);
    if (namespace == null || !isTerminating(namespace)) {
      return;
    }
    ObjectNode next = namespace.copy();
    if (!NamespaceStrategy.release(next)) {
      return;
    }
    StoredObject released = store.put(NAMESPACES, Metadata.canonical(next));
    if (NamespaceStrategy.isReleased(released.json())) {
      store.remove(NAMESPACES, released);
    }
  }
}
