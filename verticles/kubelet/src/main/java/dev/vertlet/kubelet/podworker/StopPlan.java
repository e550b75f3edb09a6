package dev.vertlet.kubelet.podworker;

import dev.vertlet.kubelet.container.ContainerSlot;
import dev.vertlet.kubelet.container.SlotHooks;
import dev.vertlet.kubelet.container.StopCause;
import dev.vertlet.kubelet.pod.LogReads;
import dev.vertlet.kubelet.pod.PodAction;
import dev.vertlet.kubelet.pod.PodDecision.Draft;
import dev.vertlet.kubelet.pod.PodState;
import dev.vertlet.kubelet.pod.Termination;

/**
 * Plans the end of a pod: regular, init and ephemeral containers at once, then sidecars in reverse
 * order, all within one grace period; then the sandbox. preStop hooks do not wait for each other:
 * those of all containers begin together.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/kuberuntime/kuberuntime_termination_order.go">
 *     terminationOrdering, kubelet 1.36.3</a>
 */
final class StopPlan {
  /** Limit of an unanswered removal, after which it is repeated; removing is idempotent. */
  private static final long REMOVE_LIMIT = 30_000;

  private final PodState pod;
  private final Termination termination;
  private final Draft draft;

  private StopPlan(PodState pod, Draft draft) {
    this.pod = pod;
    this.termination = pod.termination();
    this.draft = draft;
  }

  static void plan(PodState pod, Draft draft) {
    new StopPlan(pod, draft).plan();
  }

  private void plan() {
    if (draft.now < termination.retryAt()) {
      draft.wake(termination.retryAt());
      return;
    }
    boolean primaries = stopAll(pod.regular()) | stopAll(pod.ephemeral()) | stopAll(pod.init());
    boolean sidecars = stopSidecars(primaries);
    if (primaries || sidecars) {
      return;
    }
    if (unanswered() && draft.now < termination.deadline()) {
      // a pending sandbox or start has to finish before it can be removed; a call that hangs delays
      // the removal no longer than the grace, because removing the sandbox ends whatever the call
      // left
      draft.wake(termination.deadline());
      return;
    }
    LogReads reads = pod.logReads();
    if (reads.pending() && draft.now < reads.until()) {
      return; // removing the sandbox may remove the logs
    }
    long askAgainAt = termination.removingSince() + REMOVE_LIMIT;
    if (termination.removingSince() == 0 || draft.now >= askAgainAt) {
      draft.add(new PodAction.RemoveSandbox());
    } else {
      draft.wake(askAgainAt);
    }
  }

  /** Stops all of these that are not sidecars; returns whether one still runs. */
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
    boolean overdue = draft.now >= termination.deadline();
    boolean running = false;
    for (int i = pod.init().length - 1; i >= 0; i--) {
      ContainerSlot slot = pod.init()[i];
      if (slot.sidecar() && slot.running()) {
        if (overdue || !(primaries || running)) {
          stop(slot);
        } else if (slot.stop().announced()) {
          draft.wake(termination.deadline());
        } else {
          draft.add(new PodAction.AnnounceStop(slot));
        }
        running = true;
      }
    }
    return running;
  }

  private boolean unanswered() {
    return pod.life() == PodState.Life.RESTORING
        || pod.sandbox().inFlight()
        || pod.containers().mayRun();
  }

  private void stop(ContainerSlot slot) {
    // a sidecar that was not stopped before has the kubelet's minimumGracePeriodInSeconds
    long least = slot.sidecar() ? SlotHooks.LEAST_AFTER : PodState.MIN_GRACE;
    long grace = Math.max(least, termination.deadline() - draft.now);
    long asked = slot.stop().deadline();
    if (asked != 0) {
      boolean shortened = asked > Math.max(termination.deadline(), draft.now) + slack(slot);
      boolean hangs = draft.now >= asked + ContainerSlot.STOP_MARGIN;
      if (!shortened && !hangs) {
        draft.wake(asked + ContainerSlot.STOP_MARGIN);
        return;
      }
    }
    draft.add(new PodAction.StopContainer(slot, grace, StopCause.POD_ENDS));
  }

  /** How far a stop may reach beyond the pod's grace; a container that had to wait gets more. */
  private static long slack(ContainerSlot slot) {
    boolean waited = slot.sidecar() || slot.hooks() != null;
    return PodState.MIN_GRACE + (waited ? SlotHooks.LEAST_AFTER : 0);
  }
}
