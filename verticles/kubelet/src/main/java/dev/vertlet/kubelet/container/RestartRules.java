package dev.vertlet.kubelet.container;

import dev.vertlet.admission.NodePolicy;
import dev.vertlet.model.container.ContainerExitView;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.RestartPolicy;
import dev.vertlet.model.container.RestartRuleView.Action;
import dev.vertlet.model.pod.PodSpecView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether an ended container may run again. The container's rules come first, then its
 * policy, then the pod's.
 *
 * @see <a href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/api/v1/pod/util.go">
 *     ContainerShouldRestart, Kubernetes 1.36.3</a>
 */
public final class RestartRules {
  private RestartRules() {}

  private static RestartPolicy policy(PodSpecView spec, ContainerView container) {
    RestartPolicy own = container.restartPolicy();
    return own == null ? spec.restartPolicy() : own;
  }

  /**
   * Whether a container that was ended for a failed probe runs again at once. Rules do not count:
   * it has no exit code yet.
   */
  public static boolean possible(PodSpecView spec, ContainerView container) {
    return policy(spec, container) != RestartPolicy.NEVER;
  }

  /** Whether the container runs again after any exit. */
  public static boolean always(PodSpecView spec, ContainerView container) {
    return policy(spec, container) == RestartPolicy.ALWAYS;
  }

  /** Whether another instance of the container is due, perhaps after a pause. */
  public static boolean wantsStart(ContainerSlot slot, PodSpecView spec) {
    if (slot.running()) {
      return false;
    }
    Terminated end = slot.end();
    StopState stop = slot.stop();
    boolean again = stop.rerun() || (stop.probeKilled() && possible(spec, slot.view()));
    if (end == null || again) {
      return true;
    }
    return slot.kind() != ContainerKind.EPHEMERAL && allowed(spec, slot.view(), end.exitCode());
  }

  public static boolean allowed(PodSpecView spec, ContainerView container, int exitCode) {
    Action action = action(container, exitCode);
    if (action == Action.RESTART || action == Action.RESTART_ALL_CONTAINERS) {
      return true;
    }
    RestartPolicy policy = policy(spec, container);
    return policy == RestartPolicy.ALWAYS || (policy == RestartPolicy.ON_FAILURE && exitCode != 0);
  }

  /** Rules count only for a container with a policy of its own. */
  private static @Nullable Action action(ContainerView container, int exitCode) {
    return container.restartPolicy() == null ? null : container.exit().action(exitCode);
  }

  /** Whether a container may run again after this end, which a restart of all may have caused. */
  public static boolean allowed(PodSpecView spec, ContainerView container, Terminated end) {
    return RestartOfAll.REASON.equals(end.reason()) || allowed(spec, container, end.exitCode());
  }

  /**
   * Returns the pod without the rules that its node has turned off.
   *
   * @return {@code pod} itself if nothing differs
   */
  public static PodView on(NodePolicy node, PodView pod) {
    if (node.restartRules() && node.restartOfAll()) {
      return pod;
    }
    PodSpecView spec = pod.spec();
    List<ContainerView> init = on(node, spec.initContainers(), true);
    List<ContainerView> regular = on(node, spec.containers(), false);
    return init == spec.initContainers() && regular == spec.containers()
        ? pod
        : pod.withSpec(spec.withContainers(init, regular));
  }

  private static List<ContainerView> on(
      NodePolicy node, List<ContainerView> containers, boolean init) {
    List<ContainerView> others = new ArrayList<>(containers.size());
    boolean same = true;
    for (ContainerView container : containers) {
      ContainerView other = on(node, container, init);
      same &= other == container;
      others.add(other);
    }
    return same ? containers : others;
  }

  private static ContainerView on(NodePolicy node, ContainerView container, boolean init) {
    boolean own = node.restartRules() || (init && container.sidecar());
    RestartPolicy policy = own ? container.restartPolicy() : null;
    ContainerExitView exit = container.exit();
    boolean all = !node.restartOfAll() && exit.mentions(Action.RESTART_ALL_CONTAINERS);
    return policy == container.restartPolicy() && !all
        ? container
        : container.withRestarts(policy, all ? exit.withoutRestartOfAll() : exit);
  }

  /** Whether this exit restarts all containers of the pod. */
  public static boolean restartsAll(ContainerView container, int exitCode) {
    return container.exit().action(exitCode) == Action.RESTART_ALL_CONTAINERS;
  }

  /** Whether any exit can restart all containers of the pod. */
  public static boolean couldRestartAll(PodSpecView spec) {
    return couldRestartAll(spec.containers()) || couldRestartAll(spec.initContainers());
  }

  private static boolean couldRestartAll(List<ContainerView> containers) {
    for (int i = 0; i < containers.size(); i++) {
      if (containers.get(i).exit().mentions(Action.RESTART_ALL_CONTAINERS)) {
        return true;
      }
    }
    return false;
  }
}
