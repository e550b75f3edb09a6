package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.Quantities;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The quality-of-service class of a pod. */
final class PodQos {
  private static final List<String> COUNTED = List.of("cpu", "memory");

  /** The server keeps thousandths and rounds up what is finer. */
  private static final int DECIMALS = 3;

  private final Map<String, BigDecimal> requests = new HashMap<>();
  private final Map<String, BigDecimal> limits = new HashMap<>();
  private boolean limited = true;

  private PodQos() {}

  /** By the resources of the pod as a whole where it has them, by those of its containers else. */
  static String of(ObjectNode pod) {
    PodQos qos = new PodQos();
    JsonNode whole = Json.at(pod, "spec", "resources");
    if (whole.isObject()) {
      qos.add(whole);
    } else {
      for (String list : List.of("containers", "initContainers")) {
        Json.at(pod, "spec", list).forEach(container -> qos.add(container.path("resources")));
      }
    }
    return qos.name();
  }

  private void add(JsonNode resources) {
    add(requests, resources.path("requests"));
    limited &= add(limits, resources.path("limits")) == COUNTED.size();
  }

  /** Adds the amounts above 0; returns how many there are. */
  private static int add(Map<String, BigDecimal> sum, JsonNode amounts) {
    int added = 0;
    for (String resource : COUNTED) {
      BigDecimal amount =
          Quantities.exact(amounts.path(resource)).setScale(DECIMALS, RoundingMode.CEILING);
      if (amount.signum() > 0) {
        sum.merge(resource, amount, BigDecimal::add);
        added++;
      }
    }
    return added;
  }

  private String name() {
    if (requests.isEmpty() && limits.isEmpty()) {
      return "BestEffort";
    }
    return limited && requests.equals(limits) ? "Guaranteed" : "Burstable";
  }
}
