package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.store.ObjectStore;
import dev.vertlet.apiserver.store.StoredObject;
import java.time.Clock;

/** {@code pods/binding} and {@code pods/eviction}. */
public final class PodSubresources {
  private final Registry registry;
  private final ObjectStore store;
  private final Resource pods;
  private final Clock clock;

  /**
   * @param pods the pod resource
   */
  public PodSubresources(Registry registry, ObjectStore store, Resource pods, Clock clock) {
    this.registry = registry;
    this.store = store;
    this.pods = pods;
    this.clock = clock;
  }

  /** Assigns a pod to a node, once. */
  public void bind(String namespace, String name, ObjectNode binding) {
    String target = Json.text(binding, "target", "name");
    if (!Json.text(binding, "metadata", "name").equals(name)) {
      throw ApiException.badRequest("name in URL does not match name in Binding object");
    } else if (target.isEmpty()) {
      Causes causes = new Causes();
      causes.required("target.name", "");
      causes.throwIfAny("", "Binding", name);
    }
    StoredObject pod = registry.get(pods, namespace, name);
    String assigned = Json.text(pod.json(), "spec", "nodeName");
    String uid = Json.text(binding, "metadata", "uid");
    if (!uid.isEmpty() && !uid.equals(pod.uid())) {
      throw refused(
          name,
          "Precondition failed: UID in precondition: %s, UID in object meta: %s"
              .formatted(uid, pod.uid()));
    } else if (pod.json().path("metadata").has("deletionTimestamp")) {
      throw refused(name, "pod %s is being deleted, cannot be assigned to a host".formatted(name));
    } else if (!assigned.isEmpty()) {
      throw refused(name, "pod %s is already assigned to node \"%s\"".formatted(name, assigned));
    }
    ObjectNode next = pod.copy();
    Json.child(next, "spec").put("nodeName", target);
    ObjectNode status = Json.child(next, "status");
    (status.has("conditions") ? status.withArray("conditions") : status.putArray("conditions"))
        .addObject()
        .put("type", "PodScheduled")
        .put("status", "True")
        .putNull("lastProbeTime")
        .put("lastTransitionTime", Metadata.time(clock.instant()));
    store.put(pods.storage(), Metadata.canonical(next));
  }

  private static ApiException refused(String name, String why) {
    return ApiException.conflict(
        dev.vertlet.apiserver.api.ResourceType.namespaced("v1", "pods/binding", "Binding"),
        name,
        why);
  }

  /**
   * Evicts a pod: a delete with the options the eviction carries. Disruption budgets are not known
   * yet.
   */
  public void evict(String namespace, String name, ObjectNode eviction) {
    String about = Json.text(eviction, "metadata", "name");
    if (!about.isEmpty() && !about.equals(name)) {
      throw ApiException.badRequest("name in URL does not match name in Eviction object");
    }
    DeleteOptions options = DeleteOptions.of(Json.view(eviction, "deleteOptions"), parameter -> "");
    registry.delete(pods, namespace, name, options);
  }
}
