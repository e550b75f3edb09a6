package dev.vertlet.model;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a container asks for and what it may use: resource name to quantity, as the API server wrote
 * it.
 *
 * @param podLimits of the pod as a whole, which stand for those that the container lacks (KEP-2837)
 */
public record ResourcesView(
    Map<String, String> requests, Map<String, String> limits, Map<String, String> podLimits) {
  /** A container that names none. */
  public static final ResourcesView NONE = new ResourcesView(Map.of(), Map.of());

  public ResourcesView {
    requests = Map.copyOf(requests);
    limits = Map.copyOf(limits);
    podLimits = Map.copyOf(podLimits);
  }

  /** In a pod without limits of its own. */
  public ResourcesView(Map<String, String> requests, Map<String, String> limits) {
    this(requests, limits, Map.of());
  }

  /** Whether a container has the same by either; what its pod has does not count. */
  public boolean sameAmounts(ResourcesView other) {
    return this == other || (requests.equals(other.requests) && limits.equals(other.limits));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || other instanceof ResourcesView that
            && requests.equals(that.requests)
            && limits.equals(that.limits)
            && podLimits.equals(that.podLimits);
  }

  @Override
  public int hashCode() {
    int hash = requests.hashCode();
    hash = 31 * hash + limits.hashCode();
    return 31 * hash + podLimits.hashCode();
  }
}
