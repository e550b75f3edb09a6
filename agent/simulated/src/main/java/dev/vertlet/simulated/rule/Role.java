package dev.vertlet.simulated.rule;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.pod.PodSpecView;
import java.util.List;

/** Role of a container in its pod; decides the default run time. */
public enum Role {
  INIT,
  SIDECAR,
  REGULAR,
  EPHEMERAL;

  public static Role of(PodSpecView spec, String container) {
    if (names(spec.containers(), container)) {
      return REGULAR;
    }
    for (ContainerView init : spec.initContainers()) {
      if (init.name().equals(container)) {
        return init.sidecar() ? SIDECAR : INIT;
      }
    }
    return EPHEMERAL;
  }

  /** Returns whether the pod has a container of this name and any kind. */
  static boolean known(PodSpecView spec, String container) {
    return spec.container(container) != null;
  }

  private static boolean names(List<ContainerView> containers, String name) {
    for (ContainerView container : containers) {
      if (container.name().equals(name)) {
        return true;
      }
    }
    return false;
  }
}
