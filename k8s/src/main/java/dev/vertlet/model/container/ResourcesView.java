package dev.vertlet.model.container;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Requests and limits of a container: resource name to quantity, as the API server wrote it.
 *
 * @param podLimits pod-level limits, which apply where the container has none (KEP-2837)
 */
public record ResourcesView(
    Map<String, String> requests, Map<String, String> limits, Map<String, String> podLimits) {
  /** No requests and limits. */
  public static final ResourcesView NONE = new ResourcesView(Map.of(), Map.of());

  public ResourcesView {
    requests = Map.copyOf(requests);
    limits = Map.copyOf(limits);
    podLimits = Map.copyOf(podLimits);
  }

  /** Creates resources in a pod without pod-level limits. */
  public ResourcesView(Map<String, String> requests, Map<String, String> limits) {
    this(requests, limits, Map.of());
  }

  /** Whether requests and limits are equal; pod-level limits are ignored. */
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
