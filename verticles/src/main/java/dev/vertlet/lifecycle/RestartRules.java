package dev.vertlet.lifecycle;

import dev.vertlet.model.ContainerView;
import dev.vertlet.model.PodSpecView;
import dev.vertlet.model.RestartPolicy;

/** May an ended container run again? The container's own policy counts before the pod's. */
final class RestartRules {
  private RestartRules() {}

  private static RestartPolicy policy(PodSpecView spec, ContainerView container) {
    RestartPolicy own = container.restartPolicy();
    return own == null ? spec.restartPolicy() : own;
  }

  /** Whether a container that a kubelet ends for a failed probe may run again. */
  static boolean possible(PodSpecView spec, ContainerView container) {
    return policy(spec, container) != RestartPolicy.NEVER;
  }

  /** Whether it runs again however it ends. */
  static boolean always(PodSpecView spec, ContainerView container) {
    return policy(spec, container) == RestartPolicy.ALWAYS;
  }

  static boolean allowed(PodSpecView spec, ContainerView container, int exitCode) {
    RestartPolicy policy = policy(spec, container);
    return policy == RestartPolicy.ALWAYS || (policy == RestartPolicy.ON_FAILURE && exitCode != 0);
  }
}
