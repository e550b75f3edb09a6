package dev.vertlet.apiserver.scheduler;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.apiserver.api.Json;
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

  /** What the scheduler counts: containers at once, init containers one after the other. */
  static Demand of(JsonNode pod) {
    JsonNode spec = pod.path("spec");
    Map<String, Long> running = new TreeMap<>();
    for (JsonNode container : spec.path("containers")) {
      add(running, requests(container));
    }
    Map<String, Long> sidecars = new TreeMap<>();
    Map<String, Long> starting = new TreeMap<>();
    for (JsonNode container : spec.path("initContainers")) {
      Map<String, Long> peak = new TreeMap<>(sidecars);
      add(peak, requests(container));
      peak.forEach((name, amount) -> starting.merge(name, amount, Math::max));
      if (Json.text(container, "restartPolicy").equals("Always")) {
        sidecars = peak;
        add(running, requests(container));
      }
    }
    starting.forEach((name, amount) -> running.merge(name, amount, Math::max));
    add(running, amounts(spec.path("overhead")));
    running.values().removeIf(amount -> amount == 0);
    return running.isEmpty() ? NONE : new Demand(running);
  }

  private static Map<String, Long> requests(JsonNode container) {
    return amounts(Json.at(container, "resources", "requests"));
  }

  private static void add(Map<String, Long> sum, Map<String, Long> more) {
    more.forEach((name, amount) -> sum.merge(name, amount, Long::sum));
  }

  /** A resource list as amounts. */
  static Map<String, Long> amounts(JsonNode list) {
    Map<String, Long> amounts = new TreeMap<>();
    list.properties()
        .forEach(
            entry ->
                amounts.put(
                    entry.getKey(),
                    entry.getKey().equals("cpu")
                        ? Quantities.milli(entry.getValue())
                        : Quantities.value(entry.getValue())));
    return amounts;
  }
}
