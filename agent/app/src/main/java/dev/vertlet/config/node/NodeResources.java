package dev.vertlet.config.node;

import dev.vertlet.model.resource.HugePages;
import dev.vertlet.model.resource.Quantities;
import dev.vertlet.problem.Pointers;
import dev.vertlet.problem.Problems;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Capacity and allocatable of a node, as quantities in the API server's canonical form.
 *
 * @param pods allocatable pods as a number
 */
record NodeResources(Map<String, String> capacity, Map<String, String> allocatable, long pods) {
  static final String PODS = "pods";

  /** Suffixes of canonical quantities with a fraction. */
  private static final Set<String> FRACTIONS = Set.of("m", "u", "n");

  /**
   * Reads a template's capacity over the usual one and takes the reservations off.
   *
   * @param usual quantities by resource, for resources that the template does not set
   * @param problems whose place is the template's
   */
  static NodeResources of(NodeTemplate template, Map<String, String> usual, Problems problems) {
    Map<String, Quantity> capacity = capacity(template, usual, problems);
    Map<String, Quantity> reserved = Reservation.parse(template, capacity, problems);
    Map<String, Quantity> allocatable = new TreeMap<>(capacity);
    reserved.forEach(
        (resource, amount) -> {
          Quantity has = capacity.get(resource);
          if (has == null) {
            return; // pid has no capacity; an invalid one has been reported
          }
          if (Quantities.compare(amount, has) > 0) {
            problems.about(
                "",
                "kubeReserved, systemReserved and evictionHard take %s of %s, and capacity.%s is %s"
                    .formatted(amount, resource, resource, has));
          }
          allocatable.put(resource, Quantities.subtract(has, amount));
        });
    Quantity pods = capacity.getOrDefault(PODS, new Quantity("0"));
    Map<String, String> has = texts(capacity);
    Map<String, String> gives = texts(allocatable);
    gives.computeIfPresent("memory", (memory, left) -> HugePages.off(left, has));
    return new NodeResources(has, gives, pods.getNumericalAmount().longValue());
  }

  /** Returns the same resources with at most as many pods as addresses. */
  NodeResources within(long addresses) {
    if (pods <= addresses) {
      return this;
    }
    Map<String, String> has = new TreeMap<>(capacity);
    Map<String, String> gives = new TreeMap<>(allocatable);
    has.put(PODS, String.valueOf(addresses));
    gives.put(PODS, String.valueOf(addresses));
    return new NodeResources(has, gives, addresses);
  }

  private static Map<String, Quantity> capacity(
      NodeTemplate template, Map<String, String> usual, Problems problems) {
    Map<String, String> written = new TreeMap<>(usual);
    written.putAll(template.capacity());
    Map<String, Quantity> capacity = new TreeMap<>();
    written.forEach(
        (resource, value) -> {
          String place = Pointers.of("capacity", resource);
          problems
              .quantity(place, resource, value)
              .ifPresent(
                  quantity -> {
                    if (!resource.equals("cpu") && FRACTIONS.contains(quantity.getFormat())) {
                      problems.refuse(place, value, "must be whole; only cpu has fractions");
                    } else {
                      capacity.put(resource, quantity);
                    }
                  });
        });
    return capacity;
  }

  static Map<String, String> texts(Map<String, Quantity> quantities) {
    Map<String, String> texts = new TreeMap<>();
    quantities.forEach((resource, quantity) -> texts.put(resource, quantity.toString()));
    return texts;
  }
}
