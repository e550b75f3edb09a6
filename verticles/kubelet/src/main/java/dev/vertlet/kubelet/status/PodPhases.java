package dev.vertlet.kubelet.status;

import dev.vertlet.kubelet.container.RestartRules;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.pod.PodSpecView;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.model.status.ContainerStateView.Waiting;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodPhase;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Computes the phase of a pod from its containers alone. The caller keeps terminal phases.
 *
 * @see <a href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/kubelet_pods.go">
 *     getPhase, kubelet 1.36.3</a>
 */
final class PodPhases {
  private int pendingInit;
  private int failedInit;
  private int pendingSidecars;
  private int running;
  private int waiting;
  private int stopped;
  private int succeeded;
  private int restartable;
  private int unknown;

  private PodPhases() {}

  /**
   * @param init statuses of init containers and sidecars, in any order, possibly incomplete
   * @param regular statuses of the regular containers, in any order, possibly incomplete
   * @param ended whether the pod was to end and none of its containers runs any more
   * @param initialized whether a regular container has run in this sandbox
   */
  static PodPhase of(
      PodSpecView spec,
      List<ContainerStatusView> init,
      List<ContainerStatusView> regular,
      boolean ended,
      boolean initialized) {
    PodPhases counts = new PodPhases();
    for (ContainerView container : spec.initContainers()) {
      ContainerStatusView status = find(init, container.name());
      if (container.sidecar()) {
        counts.sidecar(status);
      } else {
        counts.init(spec, container, status);
      }
    }
    for (ContainerView container : spec.containers()) {
      counts.regular(spec, container, find(regular, container.name()));
    }
    return counts.phase(ended, initialized);
  }

  private void init(
      PodSpecView spec, ContainerView container, @Nullable ContainerStatusView status) {
    Terminated end = lastEnd(status);
    if (end == null) {
      pendingInit++;
    } else if (end.exitCode() != 0 && !RestartRules.allowed(spec, container, end)) {
      failedInit++;
    }
  }

  private void sidecar(@Nullable ContainerStatusView status) {
    if (status == null) {
      unknown++;
    } else if (status.state() instanceof Running) {
      running++;
      pendingSidecars += Boolean.TRUE.equals(status.started()) ? 0 : 1;
    } else if (status.state() instanceof Waiting && !(status.lastState() instanceof Terminated)) {
      waiting++;
      pendingSidecars++;
    } else if (status.state() == null) {
      unknown++;
      pendingSidecars++;
    }
  }

  private void regular(
      PodSpecView spec, ContainerView container, @Nullable ContainerStatusView status) {
    if (status == null || status.state() == null) {
      unknown++;
      return;
    }
    if (status.state() instanceof Running) {
      running++;
      return;
    }
    Terminated end = lastEnd(status);
    if (end == null) {
      waiting++;
      return;
    }
    stopped++;
    restartable += RestartRules.allowed(spec, container, end) ? 1 : 0;
    // a container that waits for a restart has not succeeded, whatever its last exit code was
    succeeded += status.state() instanceof Terminated && end.exitCode() == 0 ? 1 : 0;
  }

  private PodPhase phase(boolean ended, boolean initialized) {
    if (failedInit > 0) {
      return PodPhase.FAILED;
    }
    if (pendingInit > 0 || (pendingSidecars > 0 && !initialized) || waiting > 0) {
      return PodPhase.PENDING;
    }
    if (unknown > 0) {
      return PodPhase.PENDING;
    }
    if (running > 0) {
      return PodPhase.RUNNING;
    }
    if (stopped == 0) {
      return PodPhase.PENDING;
    }
    if (!ended && restartable > 0) {
      return PodPhase.RUNNING;
    }
    return stopped == succeeded ? PodPhase.SUCCEEDED : PodPhase.FAILED;
  }

  /** Returns the newest end; null if no instance has ended, or one runs. */
  private static @Nullable Terminated lastEnd(@Nullable ContainerStatusView status) {
    if (status == null) {
      return null;
    }
    ContainerStateView state = status.state();
    if (state instanceof Waiting) {
      state = status.lastState();
    }
    return state instanceof Terminated end ? end : null;
  }

  private static @Nullable ContainerStatusView find(
      List<ContainerStatusView> statuses, String name) {
    for (int i = 0; i < statuses.size(); i++) {
      ContainerStatusView status = statuses.get(i);
      if (status.name().equals(name)) {
        return status;
      }
    }
    return null;
  }
}
