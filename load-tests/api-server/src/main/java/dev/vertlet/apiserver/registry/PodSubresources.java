package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Conditions;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.ResourceType;
import dev.vertlet.apiserver.store.ObjectStore;
import dev.vertlet.apiserver.store.StoredObject;
import dev.vertlet.apiserver.validation.Causes;
import java.time.Clock;
import java.util.Set;

/** {@code pods/binding} and {@code pods/eviction}. */
public final class PodSubresources {
  private static final ResourceType BINDING =
      ResourceType.namespaced("v1", "pods/binding", "Binding");

  /** Phases in which nothing is disrupted by an eviction. */
  private static final Set<String> UNGUARDED = Set.of("Pending", "Succeeded", "Failed");

  private final Registry registry;
  private final ObjectStore store;
  private final Resource pods;
  private final DisruptionBudgets budgets;
  private final Clock clock;

  /**
   * @param pods the pod resource
   * @param budgets the resource of disruption budgets
   */
  public PodSubresources(
      Registry registry, ObjectStore store, Resource pods, Resource budgets, Clock clock) {
    this.registry = registry;
    this.store = store;
    this.pods = pods;
    this.budgets = new DisruptionBudgets(store, budgets, clock);
    this.clock = clock;
  }

  /** Assigns a pod to a node, once. */
  public void bind(String namespace, String name, ObjectNode binding, boolean dryRun) {
    String target = Json.text(binding, "target", "name");
    if (!Json.text(binding, "metadata", "name").equals(name)) {
      throw ApiException.badRequest("name in URL does not match name in Binding object");
    }
    checkTarget(Json.text(binding, "target", "kind"), target);
    StoredObject pod = registry.get(pods, namespace, name);
    checkBindable(pod, Json.text(binding, "metadata", "uid"));
    if (dryRun) {
      return;
    }
    ObjectNode next = pod.copy();
    Json.child(next, "spec").put("nodeName", target);
    setCondition(
        Json.child(next, "status"),
        Json.object().put("type", "PodScheduled").put("status", "True"));
    store.put(pods.storage(), Metadata.canonical(next));
  }

  private static void checkTarget(String kind, String name) {
    Causes causes = new Causes();
    if (!kind.isEmpty() && !kind.equals("Node")) {
      causes.unsupported("target.kind", kind, "Node", "<empty>");
    }
    if (name.isEmpty()) {
      causes.required("target.name", "");
    }
    causes.throwBareIfAny();
  }

  private static void checkBindable(StoredObject pod, String uid) {
    String name = pod.name();
    String assigned = Json.text(pod.json(), "spec", "nodeName");
    if (!uid.isEmpty() && !uid.equals(pod.uid())) {
      throw refused(
          name,
          "Precondition failed: UID in precondition: %s, UID in object meta: %s"
              .formatted(uid, pod.uid()));
    } else if (pod.json().path("metadata").has("deletionTimestamp")) {
      throw refused(name, "pod %s is being deleted, cannot be assigned to a host".formatted(name));
    } else if (!assigned.isEmpty()) {
      throw refused(name, "pod %s is already assigned to node \"%s\"".formatted(name, assigned));
    } else if (!Json.at(pod.json(), "spec", "schedulingGates").isEmpty()) {
      throw refused(name, "pod %s has non-empty .spec.schedulingGates".formatted(name));
    }
  }

  private static ApiException refused(String name, String why) {
    return ApiException.conflict(BINDING, name, why);
  }

  /** Puts a condition that begins now in the place of the one with its type, or at the end. */
  private void setCondition(ObjectNode status, ObjectNode condition) {
    condition.putNull("lastProbeTime").put("lastTransitionTime", Metadata.time(clock.instant()));
    Conditions.set(status, condition);
  }

  /**
   * Evicts a pod: a delete with the options the eviction carries, if the disruption budgets allow
   * it.
   *
   * @param dryRun whether the request asks for a dry run; its body may ask, too
   */
  public void evict(String namespace, String name, ObjectNode eviction, boolean dryRun) {
    String about = Json.text(eviction, "metadata", "name");
    if (!about.isEmpty() && !about.equals(name)) {
      throw ApiException.badRequest("name in URL does not match name in Eviction object");
    }
    DeleteOptions asked = DeleteOptions.of(Json.view(eviction, "deleteOptions"), parameter -> "");
    DeleteOptions options = dryRun ? asked.asDryRun() : asked;
    StoredObject pod = registry.get(pods, namespace, name);
    Deletion.checkPreconditions(pods, pod, options);
    boolean unguarded =
        UNGUARDED.contains(Json.text(pod.json(), "status", "phase"))
            || pod.json().path("metadata").has("deletionTimestamp");
    if (!unguarded) {
      budgets.claim(pod, options.dryRun());
    }
    if (options.dryRun()) {
      return;
    }
    ObjectNode next = pod.copy();
    ObjectNode condition =
        Json.object()
            .put("type", "DisruptionTarget")
            .put("status", "True")
            .put("reason", "EvictionByEvictionAPI")
            .put("message", "Eviction API: evicting");
    setCondition(Json.child(next, "status"), condition);
    store.put(pods.storage(), Metadata.canonical(next));
    // the mark has moved the version that the preconditions were checked against
    registry.delete(pods, namespace, name, options.withResourceVersion(""));
  }
}
