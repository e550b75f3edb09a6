package dev.vertlet.kubelet.podworker;

import dev.vertlet.kubelet.container.ContainerSlot;
import dev.vertlet.kubelet.container.RestartRules;
import dev.vertlet.kubelet.container.SlotHooks;
import dev.vertlet.kubelet.container.StopCause;
import dev.vertlet.kubelet.pod.PodAction;
import dev.vertlet.kubelet.pod.PodDecision.Draft;
import dev.vertlet.kubelet.pod.PodState;
import dev.vertlet.model.status.ContainerStateView.Terminated;

/**
 * Restarts all containers of a pod in its sandbox after the exit of one of them (rule {@code
 * RestartAllContainers}): regular containers end, then init containers and sidecars, without hooks
 * and with the least grace of a kubelet; then all of them are reset, except for their restart
 * counts, and the pod starts again. No back-off applies. Ephemeral containers stay.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/kuberuntime/kuberuntime_manager.go">
 *     computePodActions, kubelet 1.36.3</a>
 */
final class RestartAllPlan {
  private RestartAllPlan() {}

  /** Whether the restart is under way, or an exit requires it. */
  static boolean due(PodState pod) {
    return pod.restartingAll() || asked(pod.regular()) || asked(pod.init());
  }

  private static boolean asked(ContainerSlot[] slots) {
    for (ContainerSlot slot : slots) {
      Terminated end = slot.end();
      if (end != null
          && !slot.stop().rerun()
          && RestartRules.restartsAll(slot.view(), end.exitCode())) {
        return true;
      }
    }
    return false;
  }

  static void plan(PodState pod, Draft draft) {
    if (!pod.restartingAll()) {
      draft.add(new PodAction.RestartAll());
    } else if (ended(pod.regular(), draft) && ended(pod.init(), draft)) {
      draft.add(new PodAction.ResetContainers());
    }
  }

  /** Whether none of these containers runs or starts; stops those that run. */
  private static boolean ended(ContainerSlot[] slots, Draft draft) {
    boolean ended = true;
    for (ContainerSlot slot : slots) {
      ended &= !slot.running() && !slot.start().inFlight();
      if (slot.running()) {
        long at = slot.stopAgainAt();
        if (draft.now < at) {
          draft.wake(at);
        } else {
          draft.add(
              new PodAction.StopContainer(slot, SlotHooks.LEAST_AFTER, StopCause.RESTART_OF_ALL));
        }
      }
    }
    return ended;
  }
}
