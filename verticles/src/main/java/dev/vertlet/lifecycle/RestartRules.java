package dev.vertlet.lifecycle;

import dev.vertlet.model.ContainerView;
import dev.vertlet.model.PodSpecView;
import dev.vertlet.model.RestartPolicy;

/** May an ended container run again? The container's own policy counts before the pod's. */
final class RestartRules {
  private RestartRules() {}

  static boolean allowed(PodSpecView spec, ContainerView container, int exitCode) {
    RestartPolicy own = container.restartPolicy();
    RestartPolicy policy = own == null ? spec.restartPolicy() : own;
    return policy == RestartPolicy.ALWAYS || (policy == RestartPolicy.ON_FAILURE && exitCode != 0);
  }
}
