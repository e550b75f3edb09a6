package dev.vertlet.apiserver.disruption;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.apiserver.api.Conditions;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.selector.LabelSelector;
import dev.vertlet.apiserver.store.StoredObject;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** The pods that one budget selects, with a running count of the healthy ones. */
final class GuardedPods {
  private enum Health {
    HEALTHY,
    UNHEALTHY,
    TERMINATING
  }

  private final JsonNode selectorAsWritten;
  private final LabelSelector selector;
  private final boolean selectsNothing;
  private final Map<String, Health> pods = new HashMap<>();
  private int healthy;

  /**
   * @param selector a {@code metav1.LabelSelector}; an absent one selects nothing
   */
  GuardedPods(JsonNode selector) {
    this.selectorAsWritten = selector;
    this.selector = LabelSelector.of(selector);
    this.selectsNothing = selector.isMissingNode();
  }

  boolean hasSelector(JsonNode other) {
    return selectorAsWritten.equals(other);
  }

  /** Takes a pod over as it is now; whether that changes a count. */
  boolean put(StoredObject pod) {
    if (selectsNothing || !selector.matches(Json.at(pod.json(), "metadata", "labels"))) {
      return remove(pod.name());
    }
    Health now = health(pod.json());
    Health before = pods.put(pod.name(), now);
    healthy += (now == Health.HEALTHY ? 1 : 0) - (before == Health.HEALTHY ? 1 : 0);
    return now != before;
  }

  private static Health health(JsonNode pod) {
    if (pod.path("metadata").has("deletionTimestamp")) {
      return Health.TERMINATING;
    }
    return Conditions.value(pod, "Ready").equals("True") ? Health.HEALTHY : Health.UNHEALTHY;
  }

  boolean remove(String name) {
    Health before = pods.remove(name);
    healthy -= before == Health.HEALTHY ? 1 : 0;
    return before != null;
  }

  int count() {
    return pods.size();
  }

  /** Whether a pod is here and was not marked for deletion yet. */
  boolean isAlive(String name) {
    return pods.containsKey(name) && pods.get(name) != Health.TERMINATING;
  }

  /**
   * @param disrupted pods whose eviction was granted and that do not show it yet
   */
  int healthyBut(Collection<String> disrupted) {
    int about = 0;
    for (String name : disrupted) {
      about += pods.get(name) == Health.HEALTHY ? 1 : 0;
    }
    return healthy - about;
  }
}
