package dev.vertlet.apiserver.scheduler;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.apiserver.api.PodResources;
import dev.vertlet.apiserver.api.Quantities;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a pod takes from its node besides its place: resource name to amount, CPU in thousandths.
 */
record Demand(Map<String, Long> amounts) {
  static final Demand NONE = new Demand(Map.of());

  Demand {
    amounts = Map.copyOf(amounts);
  }

  /** What the scheduler counts: the requests of the pod as a whole, or of its containers. */
  static Demand of(JsonNode pod) {
    Map<String, Long> amounts = new TreeMap<>();
    PodResources.requests(pod.path("spec"))
        .forEach((name, quantity) -> amounts.put(name, amount(name, quantity)));
    amounts.values().removeIf(amount -> amount == 0);
    return amounts.isEmpty() ? NONE : new Demand(amounts);
  }

  /** A resource list as amounts. */
  static Map<String, Long> amounts(JsonNode list) {
    Map<String, Long> amounts = new TreeMap<>();
    list.properties()
        .forEach(entry -> amounts.put(entry.getKey(), amount(entry.getKey(), entry.getValue())));
    return amounts;
  }

  private static long amount(String resource, JsonNode quantity) {
    return resource.equals("cpu") ? Quantities.milli(quantity) : Quantities.value(quantity);
  }
}
