package dev.vertlet.model;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongBinaryOperator;

/**
 * Adds up the requests of one pod's containers, as the scheduler does: containers that run at the
 * same time are added; init containers run one after the other, beside the sidecars before them,
 * and only the largest sum counts.
 *
 * @see <a href="https://github.com/kubernetes/component-helpers/blob/v0.36.3/resource/helpers.go">
 *     PodRequests, component-helpers 0.36.3</a>
 */
final class RequestTally {
  private static final String CPU = "cpu";
  private static final String MEMORY = "memory";
  private static final String EPHEMERAL_STORAGE = "ephemeral-storage";
  private static final String HUGE_PAGES = "hugepages-";

  private final Amounts running = new Amounts();
  private final Amounts sidecars = new Amounts();
  private final Amounts starting = new Amounts();

  /**
   * Adds a regular container.
   *
   * @param requests resource name to quantity
   */
  void regular(Map<String, String> requests) {
    running.merge(requests, Long::sum);
  }

  /** Adds an init container; to be called in the order of the spec. */
  void init(Map<String, String> requests, boolean sidecar) {
    if (sidecar) {
      running.merge(requests, Long::sum);
      sidecars.merge(requests, Long::sum);
      starting.merge(sidecars, Math::max);
    } else {
      Amounts together = new Amounts();
      together.merge(sidecars, Long::sum);
      together.merge(requests, Long::sum);
      starting.merge(together, Math::max);
    }
  }

  /**
   * Returns the pod's total requests.
   *
   * @param whole pod-level requests, which replace those of containers
   * @param overhead pod overhead
   */
  PodRequests sum(Map<String, String> whole, Map<String, String> overhead) {
    running.merge(starting, Math::max);
    Map<String, String> instead = new HashMap<>(whole);
    instead
        .keySet()
        .removeIf(r -> !CPU.equals(r) && !MEMORY.equals(r) && !r.startsWith(HUGE_PAGES));
    running.merge(instead, (containers, pod) -> pod);
    running.merge(overhead, Long::sum);
    return running.toRequests();
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

  /** Amounts by resource: thousandths of a CPU, whole units of other resources. */
  private static final class Amounts {
    private Map<String, Long> amounts = Map.of();

    void merge(Map<String, String> quantities, LongBinaryOperator how) {
      quantities.forEach((name, text) -> merge(name, amount(name, text), how));
    }

    void merge(Amounts other, LongBinaryOperator how) {
      other.amounts.forEach((name, amount) -> merge(name, amount, how));
    }

    private void merge(String name, long amount, LongBinaryOperator how) {
      if (amounts.isEmpty()) {
        amounts = new HashMap<>();
      }
      amounts.put(name, how.applyAsLong(amounts.getOrDefault(name, 0L), amount));
    }

    PodRequests toRequests() {
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
  }
}
