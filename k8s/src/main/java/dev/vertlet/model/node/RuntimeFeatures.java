package dev.vertlet.model.node;

/**
 * Features of a container runtime, as its nodes show them in {@code status.features} and {@code
 * status.runtimeHandlers}.
 *
 * @param supplementalGroupsPolicy whether a pod can exclude the groups of its images: otherwise
 *     pods that require it are rejected
 * @param recursiveReadOnlyMounts whether mounts can be read-only recursively
 * @param userNamespaces whether pods can have user namespaces
 * @param appArmor whether AppArmor can confine containers: otherwise pods that require it are
 *     rejected. Nodes do not show it
 */
public record RuntimeFeatures(
    boolean supplementalGroupsPolicy,
    boolean recursiveReadOnlyMounts,
    boolean userNamespaces,
    boolean appArmor) {
  /** No features. */
  public static final RuntimeFeatures NONE = new RuntimeFeatures(false, false, false, false);

  /** All features. */
  public static final RuntimeFeatures ALL = new RuntimeFeatures(true, true, true, true);

  /** Returns the features that a node shows. */
  public RuntimeFeatures shown() {
    return appArmor
        ? new RuntimeFeatures(
            supplementalGroupsPolicy, recursiveReadOnlyMounts, userNamespaces, false)
        : this;
  }
}
