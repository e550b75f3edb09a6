package dev.vertlet.kubelet.podworker;

import dev.vertlet.kubelet.container.ContainerSlot;
import dev.vertlet.kubelet.pod.LogReads;
import dev.vertlet.kubelet.pod.PodAction;
import dev.vertlet.kubelet.pod.PodDecision.Draft;
import dev.vertlet.kubelet.pod.PodState;
import dev.vertlet.model.status.ContainerStateView.Terminated;

/** Selects the logs to read for failed instances without a termination message. */
final class MessagePlan {
  /** Reason of an instance that never ran and has no log. */
  private static final String CANNOT_RUN = "ContainerCannotRun";

  private MessagePlan() {}

  static void plan(PodState pod, Draft draft) {
    if (pod.life() == PodState.Life.RESTORING || pod.finished()) {
      return;
    }
    plan(pod.init(), draft);
    plan(pod.regular(), draft);
    plan(pod.ephemeral(), draft);
    LogReads reads = pod.logReads();
    if (draft.now >= reads.until()) {
      draft.add(new PodAction.GiveUpMessages());
    } else {
      draft.wake(reads.until());
    }
  }

  private static void plan(ContainerSlot[] slots, Draft draft) {
    for (ContainerSlot slot : slots) {
      if (isDue(slot)) {
        draft.add(new PodAction.ReadMessage(slot));
      }
    }
  }

  /** Whether a log has to be read before an end can be reported. */
  static boolean isDue(PodState pod) {
    return pod.containers().readsLogs() && pod.containers().any(MessagePlan::isDue);
  }

  private static boolean isDue(ContainerSlot slot) {
    return slot.view().exit().fallsBackToLogs() && !slot.messageRead() && failedInSilence(slot);
  }

  private static boolean failedInSilence(ContainerSlot slot) {
    Terminated end = slot.end();
    return end != null
        && end.exitCode() != 0
        && (end.message() == null || end.message().isEmpty())
        && !CANNOT_RUN.equals(end.reason());
  }
}
