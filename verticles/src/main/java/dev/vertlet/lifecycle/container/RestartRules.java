package dev.vertlet.lifecycle.container;

import dev.vertlet.admission.NodePolicy;
import dev.vertlet.model.ContainerExitView;
import dev.vertlet.model.ContainerStateView.Terminated;
import dev.vertlet.model.ContainerView;
import dev.vertlet.model.PodSpecView;
import dev.vertlet.model.PodView;
import dev.vertlet.model.RestartPolicy;
import dev.vertlet.model.RestartRuleView.Action;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * May an ended container run again? Its own rules count before its own policy, and that before the
 * pod's.
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
   * Whether a container that a kubelet ends for a failed probe runs again at once. Rules do not
   * count: it has no exit code yet.
   */
  public static boolean possible(PodSpecView spec, ContainerView container) {
    return policy(spec, container) != RestartPolicy.NEVER;
  }

  /** Whether it runs again however it ends. */
  public static boolean always(PodSpecView spec, ContainerView container) {
    return policy(spec, container) == RestartPolicy.ALWAYS;
  }

  public static boolean allowed(PodSpecView spec, ContainerView container, int exitCode) {
    Action action = action(container, exitCode);
    if (action == Action.RESTART || action == Action.RESTART_ALL_CONTAINERS) {
      return true;
    }
    RestartPolicy policy = policy(spec, container);
    return policy == RestartPolicy.ALWAYS || (policy == RestartPolicy.ON_FAILURE && exitCode != 0);
  }

  /** Rules mean nothing where the container has no policy of its own. */
  private static @Nullable Action action(ContainerView container, int exitCode) {
    return container.restartPolicy() == null ? null : container.exit().action(exitCode);
  }

  /** The same of an end that may be that of a container that had to end for another one. */
  public static boolean allowed(PodSpecView spec, ContainerView container, Terminated end) {
    return RestartOfAll.REASON.equals(end.reason()) || allowed(spec, container, end.exitCode());
  }

  /**
   * The pod as it is on a node that may have turned rules off.
   *
   * @return {@code pod} itself where nothing differs
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

  /** Whether an exit like this has all containers of the pod start anew. */
  public static boolean restartsAll(ContainerView container, int exitCode) {
    return container.exit().action(exitCode) == Action.RESTART_ALL_CONTAINERS;
  }

  /** Whether some exit has all containers of the pod start anew. */
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
