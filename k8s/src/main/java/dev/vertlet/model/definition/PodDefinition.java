package dev.vertlet.model.definition;

import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Definition of a pod with the fields that a {@link dev.vertlet.model.pod.PodView} leaves out. Read
 * for single calls and not kept.
 *
 * @param json the whole object, as the API server or the pod's manifest has it
 * @param security pod-level security settings
 * @param hostNetwork whether the pod has the network of its node
 * @param hostPid whether the pod shares the process namespace of its node
 * @param hostIpc whether the pod shares the IPC namespace of its node
 * @param hostUsers false if the pod has a user namespace of its own
 * @param shareProcessNamespace whether its containers share one process namespace
 * @param runtimeClassName empty for the default handler
 * @param imagePullSecrets names of Secrets, in order, without empty ones; the API server adds those
 *     of the service account
 * @param volumes in the order of the definition
 * @param containers of all kinds, by name
 */
public record PodDefinition(
    Buffer json,
    PodSecurity security,
    boolean hostNetwork,
    boolean hostPid,
    boolean hostIpc,
    boolean hostUsers,
    boolean shareProcessNamespace,
    String runtimeClassName,
    List<String> imagePullSecrets,
    List<VolumeDefinition> volumes,
    Map<String, ContainerDefinition> containers) {
  public PodDefinition {
    imagePullSecrets = List.copyOf(imagePullSecrets);
    volumes = List.copyOf(volumes);
    containers = Map.copyOf(containers);
  }

  /**
   * Reads a pod.
   *
   * @param json a {@code v1.Pod}, with the API server's defaults
   * @throws dev.vertlet.model.DecodeException for anything else
   */
  public static PodDefinition read(Buffer json) {
    return PodDefinitionReader.read(json);
  }

  /**
   * Returns the container of this name.
   *
   * @throws IllegalArgumentException when the pod has none
   */
  public ContainerDefinition container(String name) {
    ContainerDefinition found = containers.get(name);
    if (found == null) {
      throw new IllegalArgumentException("the pod has no container " + name);
    }
    return found;
  }

  /** Returns the volume of this name; null if there is none. */
  public @Nullable VolumeDefinition volume(String name) {
    for (VolumeDefinition volume : volumes) {
      if (volume.name().equals(name)) {
        return volume;
      }
    }
    return null;
  }

  /** Leaves out the object: its environment may hold secrets. */
  @Override
  public String toString() {
    return "PodDefinition of " + json.length() + " bytes";
  }
}
