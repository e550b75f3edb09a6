package dev.vertlet.model;

/**
 * What a container runtime can do, as its nodes show it in {@code status.features} and {@code
 * status.runtimeHandlers}.
 *
 * @param supplementalGroupsPolicy whether a pod can keep the groups of its images out: pods that
 *     ask for that are refused where it is not so
 * @param recursiveReadOnlyMounts whether what is mounted below a mount can be read-only, too
 * @param userNamespaces whether pods can have users of their own
 * @param appArmor whether containers can be confined by AppArmor: pods that ask for that are
 *     refused where it is not so. Nodes do not show it
 */
public record RuntimeFeatures(
    boolean supplementalGroupsPolicy,
    boolean recursiveReadOnlyMounts,
    boolean userNamespaces,
    boolean appArmor) {
  /** Nothing of this. */
  public static final RuntimeFeatures NONE = new RuntimeFeatures(false, false, false, false);

  /** All of this. */
  public static final RuntimeFeatures ALL = new RuntimeFeatures(true, true, true, true);

  /** What a node shows of it. */
  public RuntimeFeatures shown() {
    return appArmor
        ? new RuntimeFeatures(
            supplementalGroupsPolicy, recursiveReadOnlyMounts, userNamespaces, false)
        : this;
  }
}
