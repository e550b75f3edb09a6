package dev.vertlet.model.status;

import dev.vertlet.model.container.ResourcesView;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Pod-level resources in a pod's status.
 *
 * @param allocated resources that the node has granted: resource name to quantity
 * @param applied resources that the pod has, or gets at its start
 */
public record PodResourcesView(Map<String, String> allocated, ResourcesView applied) {
  /** Resources of a pod without requests and limits. */
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
