package dev.vertlet.model;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a status tells of the resources of a pod as a whole.
 *
 * @param allocated what its node has granted it: resource name to quantity
 * @param applied what the pod has, or, where it does not run, is to have
 */
public record PodResourcesView(Map<String, String> allocated, ResourcesView applied) {
  /** Of a pod that asks for nothing. */
  public static final PodResourcesView NONE = new PodResourcesView(Map.of(), ResourcesView.NONE);

  public PodResourcesView {
    allocated = Map.copyOf(allocated);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || other instanceof PodResourcesView that
            && allocated.equals(that.allocated)
            && applied.equals(that.applied);
  }

  @Override
  public int hashCode() {
    return 31 * allocated.hashCode() + applied.hashCode();
  }
}
