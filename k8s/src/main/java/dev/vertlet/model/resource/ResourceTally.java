package dev.vertlet.model.resource;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BinaryOperator;

/**
 * Adds up resources of one pod's containers, as the scheduler does: containers that run at the same
 * time are added; init containers run one after the other, beside the sidecars before them, and
 * only the largest sum counts.
 *
 * @param <A> amount of one resource
 * @see <a href="https://github.com/kubernetes/component-helpers/blob/v0.36.3/resource/helpers.go">
 *     PodRequests, component-helpers 0.36.3</a>
 */
abstract class ResourceTally<A> {
  private Map<String, A> running = Map.of();
  private Map<String, A> sidecars = Map.of();
  private Map<String, A> starting = Map.of();

  abstract A parse(String resource, String quantity);

  abstract A add(A one, A other);

  abstract A max(A one, A other);

  /**
   * Adds a regular container.
   *
   * @param quantities resource name to quantity
   */
  public final void regular(Map<String, String> quantities) {
    running = merge(running, parse(quantities), this::add);
  }

  /** Adds an init container; to be called in the order of the spec. */
  public final void init(Map<String, String> quantities, boolean sidecar) {
    Map<String, A> own = parse(quantities);
    if (sidecar) {
      running = merge(running, own, this::add);
      sidecars = merge(sidecars, own, this::add);
      starting = merge(starting, sidecars, this::max);
    } else {
      Map<String, A> together = merge(new HashMap<>(sidecars), own, this::add);
      starting = merge(starting, together, this::max);
    }
  }

  /**
   * Returns the pod's total; called once.
   *
   * @param whole pod-level quantities, which replace those of containers
   * @param overhead pod overhead
   */
  final Map<String, A> sum(Map<String, String> whole, Map<String, String> overhead) {
    Map<String, A> sum = merge(running, starting, this::max);
    sum = merge(sum, parse(whole), (containers, pod) -> pod);
    return merge(sum, parse(overhead), this::add);
  }

  private Map<String, A> parse(Map<String, String> quantities) {
    if (quantities.isEmpty()) {
      return Map.of();
    }
    Map<String, A> amounts = new HashMap<>();
    quantities.forEach((resource, text) -> amounts.put(resource, parse(resource, text)));
    return amounts;
  }

  private static <A> Map<String, A> merge(
      Map<String, A> into, Map<String, A> more, BinaryOperator<A> how) {
    if (more.isEmpty()) {
      return into;
    }
    Map<String, A> merged = into.isEmpty() ? new HashMap<>() : into;
    more.forEach((resource, amount) -> merged.merge(resource, amount, how));
    return merged;
  }
}
