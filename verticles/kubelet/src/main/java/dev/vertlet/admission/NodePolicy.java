package dev.vertlet.admission;

import dev.vertlet.model.node.RuntimeFeatures;
import java.util.ArrayList;
import java.util.List;

/**
 * A node's configuration of pod admission and pod features.
 *
 * @param restartRules whether containers may have restart policies and rules of their own (feature
 *     gate {@code ContainerRestartRules}); sidecars have theirs in any case
 * @param restartOfAll whether an exit can restart all containers of a pod (feature gate {@code
 *     RestartAllContainersOnContainerExits})
 * @param podLevelResources whether pods may have resources of their own (feature gate {@code
 *     PodLevelResources})
 * @param declares whether declared features are checked (feature gate {@code NodeDeclaredFeatures})
 * @param allowedUnsafeSysctls sysctls that pods may set besides the safe ones: names, or prefixes
 *     followed by an asterisk
 * @param appArmor whether AppArmor can confine its containers
 */
public record NodePolicy(
    boolean restartRules,
    boolean restartOfAll,
    boolean podLevelResources,
    boolean declares,
    List<String> allowedUnsafeSysctls,
    boolean appArmor) {
  /** Policy of a kubelet without a configuration. */
  public static final NodePolicy DEFAULTS =
      new NodePolicy(true, true, true, true, List.of(), false);

  static final String RESTART_OF_ALL = "RestartAllContainersOnContainerExits";

  /** Disables a feature whose prerequisites are disabled. */
  public NodePolicy {
    restartOfAll &= restartRules && declares;
    allowedUnsafeSysctls = List.copyOf(allowedUnsafeSysctls);
  }

  /** Returns this policy on a runtime with these features. */
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

  /** Declared features of the Node object, in alphabetical order. */
  public List<String> declaredFeatures() {
    List<String> features = new ArrayList<>(1);
    if (restartOfAll) {
      features.add(RESTART_OF_ALL);
    }
    return features;
  }
}
