package dev.vertlet.admission;

import dev.vertlet.model.RuntimeFeatures;
import java.util.ArrayList;
import java.util.List;

/**
 * What the configuration of a node says about the pods that it takes and what it does for them.
 *
 * @param restartRules whether containers have restart policies and rules of their own (feature gate
 *     {@code ContainerRestartRules}); sidecars have theirs in any case
 * @param restartOfAll whether an exit can restart all containers of a pod (feature gate {@code
 *     RestartAllContainersOnContainerExits})
 * @param podLevelResources whether it takes pods with resources of their own (feature gate {@code
 *     PodLevelResources})
 * @param declares whether its features count (feature gate {@code NodeDeclaredFeatures})
 * @param allowedUnsafeSysctls kernel parameters that pods may set besides the safe ones: names, or
 *     beginnings of names with a star behind them
 * @param appArmor whether AppArmor can confine its containers
 */
public record NodePolicy(
    boolean restartRules,
    boolean restartOfAll,
    boolean podLevelResources,
    boolean declares,
    List<String> allowedUnsafeSysctls,
    boolean appArmor) {
  /** That of a kubelet without a configuration. */
  public static final NodePolicy DEFAULTS =
      new NodePolicy(true, true, true, true, List.of(), false);

  static final String RESTART_OF_ALL = "RestartAllContainersOnContainerExits";

  /** One feature is built upon another. */
  public NodePolicy {
    restartOfAll &= restartRules && declares;
    allowedUnsafeSysctls = List.copyOf(allowedUnsafeSysctls);
  }

  /** The same on a runtime that can do this. */
  public NodePolicy on(RuntimeFeatures runtime) {
    return runtime.appArmor() == appArmor
        ? this
        : new NodePolicy(
            restartRules,
            restartOfAll,
            podLevelResources,
            declares,
            allowedUnsafeSysctls,
            runtime.appArmor());
  }

  /** What pods may ask for on the node, as its Node object says it, in alphabetical order. */
  public List<String> declaredFeatures() {
    List<String> features = new ArrayList<>(1);
    if (restartOfAll) {
      features.add(RESTART_OF_ALL);
    }
    return features;
  }
}
