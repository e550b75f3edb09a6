package dev.vertlet.model.resource;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.model.DecodeException;
import dev.vertlet.model.pod.PodRequests;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Adds up requests: thousandths of a CPU, whole units of other resources. */
public final class RequestTally extends ResourceTally<Long> {
  private static final String CPU = "cpu";
  private static final String MEMORY = "memory";
  private static final String EPHEMERAL_STORAGE = "ephemeral-storage";
  private static final String HUGE_PAGES = "hugepages-";

  /**
   * Adds up the requests of a pod as the API has it, as the scheduler does.
   *
   * @param spec JSON of a pod's spec
   * @throws DecodeException for a malformed quantity
   */
  public static PodRequests ofPod(JsonNode spec) {
    RequestTally tally = new RequestTally();
    for (JsonNode container : spec.path("initContainers")) {
      boolean sidecar = container.path("restartPolicy").asText().equals("Always");
      tally.init(quantities(container.path("resources").path("requests")), sidecar);
    }
    for (JsonNode container : spec.path("containers")) {
      tally.regular(quantities(container.path("resources").path("requests")));
    }
    return tally.requests(
        quantities(spec.path("resources").path("requests")), quantities(spec.path("overhead")));
  }

  private static Map<String, String> quantities(JsonNode json) {
    Map<String, String> quantities = new HashMap<>();
    json.properties().forEach(each -> quantities.put(each.getKey(), each.getValue().asText()));
    return quantities;
  }

  /**
   * Returns the pod's total requests; called once.
   *
   * @param whole pod-level requests, which replace those of containers
   * @param overhead pod overhead
   */
  public PodRequests requests(Map<String, String> whole, Map<String, String> overhead) {
    Map<String, String> instead = new HashMap<>(whole);
    instead
        .keySet()
        .removeIf(r -> !CPU.equals(r) && !MEMORY.equals(r) && !r.startsWith(HUGE_PAGES));
    Map<String, Long> amounts = sum(instead, overhead);
    if (amounts.isEmpty()) {
      return PodRequests.NONE;
    }
    Map<String, Long> others = new HashMap<>(amounts);
    others.keySet().removeAll(List.of(CPU, MEMORY, EPHEMERAL_STORAGE));
    others.values().removeIf(amount -> amount == 0);
    return new PodRequests(
        amounts.getOrDefault(CPU, 0L),
        amounts.getOrDefault(MEMORY, 0L),
        amounts.getOrDefault(EPHEMERAL_STORAGE, 0L),
        others);
  }

  @Override
  Long parse(String resource, String quantity) {
    return amount(resource, quantity);
  }

  @Override
  Long add(Long one, Long other) {
    return one + other;
  }

  @Override
  Long max(Long one, Long other) {
    return Math.max(one, other);
  }

  /**
   * Parses an amount: thousandths of a CPU, whole units of other resources.
   *
   * @throws DecodeException when the text is not a quantity
   */
  static long amount(String name, String text) {
    try {
      return CPU.equals(name) ? Quantities.milli(text) : Quantities.units(text);
    } catch (IllegalArgumentException e) {
      throw new DecodeException("malformed quantity of a resource", e);
    }
  }
}
