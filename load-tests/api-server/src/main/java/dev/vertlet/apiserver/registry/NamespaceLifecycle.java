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
 * Admission into namespaces and their removal: a deleted namespace is Terminating, its objects are
 * deleted in their own way, and it goes when the last of them has gone.
 */
final class NamespaceLifecycle {
  private static final String NAMESPACES = "namespaces";

  /** What a cluster cannot lose. */
  private static final List<String> IMMORTAL = List.of("default", "kube-system", "kube-public");

  private final ObjectStore store;
  private final Resources resources;
  private final Clock clock;
  private final Deletion deletion;

  NamespaceLifecycle(ObjectStore store, Resources resources, Clock clock) {
    this.store = store;
    this.resources = resources;
    this.clock = clock;
    this.deletion = new Deletion(store, clock);
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
    StoredObject terminating = store.put(NAMESPACES, Metadata.canonical(next));
    deleteContent(namespace.name());
    objectGone(namespace.name());
    return new Deletion.Outcome(terminating, false);
  }

  private void deleteContent(String namespace) {
    for (Resource resource : resources.all()) {
      if (resource.type().namespaced()) {
        for (StoredObject object : List.copyOf(store.list(resource.storage(), namespace))) {
          deletion.delete(resource, object, DeleteOptions.DEFAULT);
        }
      }
    }
  }

  /** Called after an object was removed: the last one out removes a terminating namespace. */
  void objectGone(String namespace) {
    StoredObject home = store.get(NAMESPACES, "", namespace).orElse(null);
    if (home == null || !isTerminating(home)) {
      return;
    }
    for (Resource resource : resources.all()) {
      if (resource.type().namespaced() && !store.list(resource.storage(), namespace).isEmpty()) {
        return;
      }
    }
    store.remove(NAMESPACES, home);
  }
}
