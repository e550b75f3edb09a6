package dev.vertlet.provider.content;

import java.util.Set;

/**
 * What a back end receives of a pod. Each value includes the earlier ones; each costs requests and
 * memory that back ends with an earlier one never pay for.
 */
public enum PodInput {
  /** The view alone. */
  VIEW,

  /**
   * The whole {@link dev.vertlet.model.definition.PodDefinition}, read for each create and update
   * of a whole pod, or for each sandbox and container, and dropped afterwards.
   */
  DEFINITION,

  /**
   * The content of volumes of the kinds {@code configMap}, {@code secret}, {@code downwardAPI} and
   * {@code projected} as bytes, with new versions of it, and the credentials of images. The {@code
   * usesEnvironment} of a container runtime must be true. The agent watches the ConfigMaps and
   * Secrets, and requests tokens.
   */
  VALUES,

  /**
   * Content as files below the pod's own directory, which vertlet writes, updates and removes, and
   * the mounts of containers with their paths on the agent's machine. For container runtimes on
   * this machine.
   */
  FILES;

  /** Kinds of volumes that vertlet writes, or finds on the node. */
  public static final Set<String> WRITTEN =
      Set.of("configMap", "secret", "downwardAPI", "projected", "emptyDir", "hostPath");

  /** Whether the definition is read. */
  public boolean hasDefinition() {
    return this != VIEW;
  }

  /** Whether the content of volumes is computed. */
  public boolean hasContent() {
    return compareTo(VALUES) >= 0;
  }
}
