package dev.vertlet.lifecycle;

import dev.vertlet.lifecycle.PodDecision.Draft;

/**
 * The order in which a pod goes down: regular, init and ephemeral containers at once, then sidecars
 * in reverse order, all within one grace period; then the sandbox. Hooks before the end wait for
 * nobody: those of all containers begin together.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/kuberuntime/kuberuntime_termination_order.go">
 *     terminationOrdering, kubelet 1.36.3</a>
 */
final class StopPlan {
  /** A stop that has not worked so long after its time is asked for again. */
  static final long STOP_MARGIN = 10_000;

  /** A removal without an answer is asked for again; removing is idempotent. */
  private static final long REMOVE_LIMIT = 30_000;

  private final PodState pod;
  private final Draft draft;

  private StopPlan(PodState pod, Draft draft) {
    this.pod = pod;
    this.draft = draft;
  }

  static void plan(PodState pod, Draft draft) {
    new StopPlan(pod, draft).plan();
  }

  private void plan() {
    if (draft.now < pod.killRetryAt) {
      draft.wake(pod.killRetryAt);
      return;
    }
    boolean primaries = stopAll(pod.regular) | stopAll(pod.ephemeral) | stopAll(pod.init);
    boolean sidecars = stopSidecars(primaries);
    if (primaries || sidecars) {
      return;
    }
    if (unanswered() && draft.now < pod.deadline) {
      // what is being made has to be known before it can be freed; a call that hangs is not
      // waited for beyond the grace, removing the sandbox ends whatever it left
      draft.wake(pod.deadline);
      return;
    }
    if (pod.messageReads != null && draft.now < pod.messageReads.until()) {
      return; // removing the sandbox may remove the logs
    }
    long askAgainAt = pod.removingSince + REMOVE_LIMIT;
    if (pod.removingSince == 0 || draft.now >= askAgainAt) {
      draft.add(new PodAction.RemoveSandbox());
    } else {
      draft.wake(askAgainAt);
    }
  }

  /** Stops all of these that are no sidecars; says whether one still runs. */
  private boolean stopAll(ContainerSlot[] slots) {
    boolean running = false;
    for (ContainerSlot slot : slots) {
      if (!slot.sidecar() && slot.running()) {
        running = true;
        stop(slot);
      }
    }
    return running;
  }

  private boolean stopSidecars(boolean primaries) {
    boolean overdue = draft.now >= pod.deadline;
    boolean running = false;
    for (int i = pod.init.length - 1; i >= 0; i--) {
      ContainerSlot slot = pod.init[i];
      if (slot.sidecar() && slot.running()) {
        if (overdue || !(primaries || running)) {
          stop(slot);
        } else if (slot.announced) {
          draft.wake(pod.deadline);
        } else {
          draft.add(new PodAction.AnnounceStop(slot));
        }
        running = true;
      }
    }
    return running;
  }

  private boolean unanswered() {
    return pod.life == PodState.Life.RESTORING || pod.sandboxInFlight || pod.mayRun();
  }

  private void stop(ContainerSlot slot) {
    // a sidecar whose turn never came has the kubelet's minimumGracePeriodInSeconds
    long least = slot.sidecar() ? SlotHooks.LEAST_AFTER : PodState.MIN_GRACE;
    long grace = Math.max(least, pod.deadline - draft.now);
    if (slot.stopDeadline != 0) {
      boolean shortened = slot.stopDeadline > Math.max(pod.deadline, draft.now) + slack(slot);
      boolean hangs = draft.now >= slot.stopDeadline + STOP_MARGIN;
      if (!shortened && !hangs) {
        draft.wake(slot.stopDeadline + STOP_MARGIN);
        return;
      }
    }
    draft.add(new PodAction.StopContainer(slot, grace, StopCause.POD_ENDS));
  }

  /** How far a stop may reach beyond the pod's grace; what had to wait gets some more. */
  private static long slack(ContainerSlot slot) {
    boolean waited = slot.sidecar() || slot.hooks != null;
    return PodState.MIN_GRACE + (waited ? SlotHooks.LEAST_AFTER : 0);
  }
}
