package dev.vertlet.model;

import io.fabric8.kubernetes.api.model.Quantity;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a node keeps back from pods.
 *
 * @param kube for the agent and its runtime ({@code kubeReserved})
 * @param system for everything else on the host ({@code systemReserved})
 * @see <a href="https://kubernetes.io/docs/tasks/administer-cluster/reserve-compute-resources/">
 *     Reserve Compute Resources</a>
 */
public record Reservation(Map<String, Quantity> kube, Map<String, Quantity> system) {
  /** Nothing reserved. */
  public static final Reservation NONE = new Reservation(Map.of(), Map.of());

  private static final List<String> RESERVABLE =
      List.of("cpu", "memory", "ephemeral-storage", "pid");

  private static final Quantity ZERO = new Quantity("0");

  public Reservation {
    kube = Map.copyOf(kube);
    system = Map.copyOf(system);
  }

  /**
   * Reads both reservations from configuration.
   *
   * @throws IllegalArgumentException for a resource other than cpu, memory, ephemeral-storage and
   *     pid, and for a quantity that is negative or none
   */
  public static Reservation parse(Map<String, String> kube, Map<String, String> system) {
    return new Reservation(parse(kube), parse(system));
  }

  /** {@link #allocatable(Map, Map)} without eviction thresholds. */
  public Map<String, Quantity> allocatable(Map<String, Quantity> capacity) {
    return allocatable(capacity, Map.of());
  }

  /**
   * What is left for pods: capacity less both reservations and the eviction thresholds, for each
   * resource never below zero and never above its capacity.
   *
   * @param evictionHard amounts (not percentages) at which pods get evicted
   */
  public Map<String, Quantity> allocatable(
      Map<String, Quantity> capacity, Map<String, Quantity> evictionHard) {
    Map<String, Quantity> result = new LinkedHashMap<>();
    capacity.forEach(
        (resource, total) -> {
          Quantity left = total;
          for (Map<String, Quantity> held : List.of(kube, system, evictionHard)) {
            left = Quantities.subtract(left, held.getOrDefault(resource, ZERO));
          }
          result.put(resource, clamp(left, total));
        });
    return result;
  }

  private static Quantity clamp(Quantity value, Quantity total) {
    if (Quantities.compare(value, ZERO) < 0) {
      return ZERO;
    }
    return Quantities.canonical(Quantities.compare(value, total) > 0 ? total : value);
  }

  private static Map<String, Quantity> parse(Map<String, String> texts) {
    Map<String, Quantity> parsed = new LinkedHashMap<>();
    texts.forEach(
        (resource, text) -> {
          if (!RESERVABLE.contains(resource)) {
            throw new IllegalArgumentException("cannot reserve \"" + resource + "\" resource");
          }
          parsed.put(resource, Quantities.parseNotNegative(resource, text));
        });
    return parsed;
  }
}
