package dev.vertlet.env;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.EnvironmentView;
import dev.vertlet.model.container.EnvironmentView.Source;
import dev.vertlet.model.container.EnvironmentView.ValueFrom;
import dev.vertlet.model.container.EnvironmentView.Variable;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.reference.ReferredKey;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** References of a pod's containers. */
public final class PodReferences {
  private PodReferences() {}

  /**
   * Returns the objects to read before the pod's containers can start, optional or not.
   *
   * @param services whether to add service variables
   */
  public static Set<ReferredKey> of(PodView pod, boolean services) {
    if (!services && !any(pod)) {
      return Set.of();
    }
    Set<ReferredKey> keys = new LinkedHashSet<>();
    add(pod, pod.spec().initContainers(), keys);
    add(pod, pod.spec().containers(), keys);
    add(pod, pod.spec().ephemeralContainers(), keys);
    if (services) {
      keys.addAll(ServiceVariables.keys(pod.namespace(), pod.spec().enableServiceLinks()));
    }
    return keys;
  }

  private static boolean any(PodView pod) {
    return any(pod.spec().containers())
        || any(pod.spec().initContainers())
        || any(pod.spec().ephemeralContainers());
  }

  private static boolean any(List<ContainerView> containers) {
    for (ContainerView container : containers) {
      EnvironmentView environment = container.environment();
      if (environment != null && !environment.literal()) {
        return true;
      }
    }
    return false;
  }

  private static void add(PodView pod, List<ContainerView> containers, Set<ReferredKey> keys) {
    for (ContainerView container : containers) {
      EnvironmentView environment = container.environment();
      if (environment != null) {
        for (Source source : environment.envFrom()) {
          keys.add(new ReferredKey(source.kind(), pod.namespace(), source.name()));
        }
        for (Variable variable : environment.env()) {
          if (variable.from() instanceof ValueFrom.Key key) {
            keys.add(new ReferredKey(key.kind(), pod.namespace(), key.name()));
          }
        }
      }
    }
  }
}
