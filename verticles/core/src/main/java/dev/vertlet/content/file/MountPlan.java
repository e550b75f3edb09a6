package dev.vertlet.content.file;

import dev.vertlet.env.SubPaths;
import dev.vertlet.model.definition.ContainerDefinition;
import dev.vertlet.model.definition.ContainerDefinition.Mount;
import dev.vertlet.model.definition.PodDefinition;
import dev.vertlet.model.definition.VolumeDefinition;
import dev.vertlet.provider.container.ContainerMount.Propagation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The mounts of a container, before their paths on the node are known.
 *
 * @see <a href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/kubelet_pods.go">
 *     makeMounts, kubelet 1.36.3</a>
 */
public final class MountPlan {
  static final String HOSTS = "/etc/hosts";
  static final String RESOLVER = "/etc/resolv.conf";

  private MountPlan() {}

  /**
   * A planned mount.
   *
   * @param index of the mount in the definition
   * @param path absolute path in the container
   * @param subPath path in the volume; empty for the whole volume
   */
  public record Planned(
      int index,
      VolumeDefinition volume,
      String path,
      String subPath,
      boolean readOnly,
      boolean recursiveReadOnly,
      Propagation propagation) {}

  /**
   * Plans the mounts of a container's volumes. Volumes of kinds that vertlet does not write are
   * left out: the runtime mounts them itself.
   *
   * @param environment of the container, for the paths that use it
   * @param recursive whether the runtime supports recursive read-only mounts
   * @throws IllegalArgumentException with the kubelet's message for a mount that is not possible
   */
  public static List<Planned> of(
      PodDefinition pod,
      ContainerDefinition container,
      Map<String, String> environment,
      boolean recursive) {
    List<Planned> planned = new ArrayList<>();
    for (int i = 0; i < container.mounts().size(); i++) {
      Mount mount = container.mounts().get(i);
      VolumeDefinition volume = pod.volume(mount.volume());
      if (volume == null) {
        throw new IllegalArgumentException(
            "cannot find volume \"%s\" to mount into container \"%s\""
                .formatted(mount.volume(), container.name()));
      }
      if (volume.source() instanceof VolumeDefinition.Other) {
        continue;
      }
      planned.add(
          new Planned(
              i,
              volume,
              absolute(mount.path()),
              subPath(mount, environment),
              mount.readOnly() || volume.source() instanceof VolumeDefinition.Files,
              recursiveReadOnly(mount, recursive),
              propagation(mount.propagation())));
    }
    return planned;
  }

  /** Whether the container mounts a volume at a path, which then hides vertlet's own file. */
  static boolean covers(List<Planned> mounts, String path) {
    return mounts.stream().anyMatch(mount -> mount.path().equals(path));
  }

  static String absolute(String path) {
    return path.startsWith("/") ? path : "/" + path;
  }

  private static String subPath(Mount mount, Map<String, String> environment) {
    return mount.subPathExpr().isEmpty()
        ? SubPaths.checked(mount.subPath())
        : SubPaths.expand(mount.subPathExpr(), environment);
  }

  private static Propagation propagation(String mode) {
    return switch (mode) {
      case "", "None" -> Propagation.PRIVATE;
      case "HostToContainer" -> Propagation.HOST_TO_CONTAINER;
      case "Bidirectional" -> Propagation.BIDIRECTIONAL;
      default ->
          throw new IllegalArgumentException("invalid MountPropagation mode: \"" + mode + "\"");
    };
  }

  private static boolean recursiveReadOnly(Mount mount, boolean supported) {
    String mode = mount.recursiveReadOnly();
    if (mode.isEmpty() || mode.equals("Disabled")) {
      return false;
    }
    String wrong = "";
    if (!mount.readOnly()) {
      wrong = "it is not read-only";
    } else if (propagation(mount.propagation()) != Propagation.PRIVATE) {
      wrong = "it is not compatible with propagation \"" + mount.propagation() + "\"";
    } else if (mode.equals("Enabled") && !supported) {
      wrong = "it is not supported by the runtime";
    }
    if (!wrong.isEmpty()) {
      throw new IllegalArgumentException(
          "failed to resolve recursive read-only mode: volume \"%s\" requested recursive read-only"
                  .formatted(mount.volume())
              + " mode, but "
              + wrong);
    }
    return supported;
  }
}
