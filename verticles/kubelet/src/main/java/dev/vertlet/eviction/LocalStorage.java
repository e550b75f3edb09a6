package dev.vertlet.eviction;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.RestartPolicy;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.resource.Quantities;
import dev.vertlet.provider.node.NodeUsage.ContainerUsage;
import dev.vertlet.provider.node.NodeUsage.Disk;
import dev.vertlet.provider.node.NodeUsage.PodUsage;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks a pod's disk usage against its own limits, however much space is free. Pure.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/eviction/eviction_manager.go">
 *     localStorageEviction, kubelet 1.36.3</a>
 */
public final class LocalStorage {
  private static final String RESOURCE = "ephemeral-storage";

  private LocalStorage() {}

  /** Returns a kubelet's message about the exceeded limit; empty if the pod keeps its limits. */
  public static Optional<String> excess(PodView pod, PodUsage used) {
    return volume(pod, used).or(() -> whole(pod, used)).or(() -> container(pod, used));
  }

  private static Optional<String> volume(PodView pod, PodUsage used) {
    for (Map.Entry<String, String> limit : pod.spec().placement().emptyDirLimits().entrySet()) {
      Long bytes = used.emptyDirs().get(limit.getKey());
      long most = Quantities.units(limit.getValue());
      if (bytes != null && most > 0 && bytes > most) {
        return Optional.of(
            "Usage of EmptyDir volume \"%s\" exceeds the limit \"%s\". "
                .formatted(limit.getKey(), limit.getValue()));
      }
    }
    return Optional.empty();
  }

  private static Optional<String> whole(PodView pod, PodUsage used) {
    long most = limit(pod);
    if (most == 0) {
      return Optional.empty();
    }
    Disk all = used.volumes();
    for (ContainerUsage container : used.containers()) {
      all = all.plus(container.rootFs()).plus(container.logs());
    }
    return all.bytes() <= most
        ? Optional.empty()
        : Optional.of(
            "Pod ephemeral local storage usage exceeds the total limit of containers %s. "
                .formatted(Quantities.binary(most)));
  }

  /** Total limit of its containers; 0 if none of them has a limit. */
  private static long limit(PodView pod) {
    long running = 0;
    long sidecars = 0;
    long starting = 0;
    for (ContainerView init : pod.spec().initContainers()) {
      long own = limit(init);
      if (init.restartPolicy() == RestartPolicy.ALWAYS) {
        sidecars += own;
        starting = Math.max(starting, sidecars);
      } else {
        starting = Math.max(starting, sidecars + own);
      }
    }
    for (ContainerView container : pod.spec().containers()) {
      running += limit(container);
    }
    return Math.max(running + sidecars, starting);
  }

  private static Optional<String> container(PodView pod, PodUsage used) {
    for (ContainerUsage usage : used.containers()) {
      ContainerView container = find(pod, usage.name());
      long most = container == null ? 0 : limit(container);
      if (container != null && most > 0 && usage.rootFs().plus(usage.logs()).bytes() > most) {
        return Optional.of(
            "Container %s exceeded its local ephemeral storage limit \"%s\". "
                .formatted(usage.name(), container.resources().limits().get(RESOURCE)));
      }
    }
    return Optional.empty();
  }

  private static @Nullable ContainerView find(PodView pod, String name) {
    for (ContainerView container : pod.spec().containers()) {
      if (container.name().equals(name)) {
        return container;
      }
    }
    return null;
  }

  private static long limit(ContainerView container) {
    String limit = container.resources().limits().get(RESOURCE);
    return limit == null ? 0 : Quantities.units(limit);
  }
}
