package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.ApiException.Cause;
import dev.vertlet.apiserver.api.Conditions;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.selector.LabelSelector;
import dev.vertlet.apiserver.store.ObjectStore;
import dev.vertlet.apiserver.store.StoredObject;
import java.time.Clock;
import java.util.List;

/**
 * What an eviction asks of the disruption budgets, as {@code
 * pkg/registry/core/pod/storage/eviction.go} does it. The counts it relies on are the disruption
 * controller's.
 */
final class DisruptionBudgets {
  private static final String REFUSED =
      "Cannot evict pod as it would violate the pod's disruption budget.";

  /** When to come back for a budget that the controller has not looked at yet. */
  private static final int UNPROCESSED_RETRY_SECONDS = 10;

  private final ObjectStore store;
  private final Resource resource;
  private final Clock clock;

  DisruptionBudgets(ObjectStore store, Resource resource, Clock clock) {
    this.store = store;
    this.resource = resource;
    this.clock = clock;
  }

  /** Takes one disruption of the budget that guards a pod, or throws. */
  void claim(StoredObject pod, boolean dryRun) {
    List<StoredObject> guarding = guarding(pod);
    if (guarding.isEmpty()) {
      return;
    } else if (guarding.size() > 1) {
      throw new ApiException(
          500,
          "",
          "This pod has more than one PodDisruptionBudget, which the eviction subresource does not"
              + " support.");
    }
    StoredObject budget = guarding.get(0);
    if (!Conditions.value(pod.json(), "Ready").equals("True") && lets(budget)) {
      return;
    }
    check(budget);
    if (!dryRun) {
      decrement(budget, pod.name());
    }
  }

  private List<StoredObject> guarding(StoredObject pod) {
    return store.list(resource.storage(), pod.namespace()).stream()
        .filter(
            budget ->
                budget.json().path("spec").has("selector")
                    && LabelSelector.of(Json.at(budget.json(), "spec", "selector"))
                        .matches(Json.at(pod.json(), "metadata", "labels")))
        .toList();
  }

  /** Whether a pod that is not healthy may go without a disruption. */
  private static boolean lets(StoredObject budget) {
    if (Json.text(budget.json(), "spec", "unhealthyPodEvictionPolicy").equals("AlwaysAllow")) {
      return true;
    }
    int healthy = Json.at(budget.json(), "status", "currentHealthy").asInt();
    int desired = Json.at(budget.json(), "status", "desiredHealthy").asInt();
    return healthy >= desired && desired > 0;
  }

  private static void check(StoredObject budget) {
    ObjectNode status = Json.view(budget.json(), "status");
    if (status.path("observedGeneration").asLong()
        < Json.at(budget.json(), "metadata", "generation").asLong()) {
      throw tooMany("The disruption budget %s is still being processed by the server.", budget)
          .withRetryAfter(UNPROCESSED_RETRY_SECONDS);
    } else if (status.path("disruptionsAllowed").asInt() <= 0) {
      throw tooMany(
          "The disruption budget %s needs "
              + status.path("desiredHealthy").asInt()
              + " healthy pods and has "
              + status.path("currentHealthy").asInt()
              + " currently",
          budget);
    }
  }

  private static ApiException tooMany(String cause, StoredObject budget) {
    return new ApiException(429, "TooManyRequests", REFUSED)
        .withCauses(List.of(new Cause("DisruptionBudget", "", cause.formatted(budget.name()))));
  }

  private void decrement(StoredObject budget, String pod) {
    ObjectNode next = budget.copy();
    ObjectNode status = Json.child(next, "status");
    int left = status.path("disruptionsAllowed").asInt() - 1;
    status.put("disruptionsAllowed", left);
    Json.child(status, "disruptedPods").put(pod, Metadata.time(clock.instant()));
    if (left == 0) {
      ObjectNode condition = Conditions.find(next, "DisruptionAllowed").deepCopy();
      condition
          .put("type", "DisruptionAllowed")
          .put("status", "False")
          .put("reason", "InsufficientPods")
          .put("lastTransitionTime", Metadata.time(clock.instant()));
      Conditions.set(status, condition);
    }
    store.put(resource.storage(), Metadata.canonical(next));
  }
}
