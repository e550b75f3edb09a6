package dev.vertlet.kubelet.podworker;

import dev.vertlet.kubelet.container.ContainerSlot;
import dev.vertlet.kubelet.container.RestartRules;
import dev.vertlet.kubelet.hook.HookPlan;
import dev.vertlet.kubelet.pod.PodAction;
import dev.vertlet.kubelet.pod.PodDecision;
import dev.vertlet.kubelet.pod.PodDecision.Draft;
import dev.vertlet.kubelet.pod.PodState;
import dev.vertlet.kubelet.probe.ProbePlan;
import dev.vertlet.model.container.RestartPolicy;
import dev.vertlet.model.pod.PodSpecView;
import dev.vertlet.model.status.ContainerStateView.Terminated;

/**
 * Decides what to do next for one pod, as a function of its state and the time; changes neither.
 */
final class PodPlan {
  private static final String DEADLINE_REASON = "DeadlineExceeded";
  private static final String DEADLINE_MESSAGE =
      "Pod was active on the node longer than the specified deadline";

  private PodPlan() {}

  /**
   * @param network whether the pod's node can give it a network
   * @param prePull whether the new image of a running container is pulled before the container ends
   */
  static PodDecision decide(PodState pod, boolean network, boolean prePull, long now) {
    Draft draft = new Draft(now);
    if (pod.containers().readsLogs()) {
      MessagePlan.plan(pod, draft);
      if (!draft.idle()) {
        return draft.decision(); // comes before any action that may remove a log
      }
    }
    switch (pod.life()) {
      case RESTORING -> {
        // the runtime has not answered yet; a pod that must end does not wait for it for ever
        draft.wake(pod.termination().deadline());
        if (now >= pod.termination().deadline()) {
          StopPlan.plan(pod, draft);
        }
      }
      case SYNCING -> sync(pod, network, prePull, draft);
      case ENDING -> {
        StopPlan.plan(pod, draft);
        care(pod, draft);
      }
      case FINISHED -> {}
    }
    return draft.decision();
  }

  private static void sync(PodState pod, boolean network, boolean prePull, Draft draft) {
    long deadline = activeDeadline(pod);
    boolean over = pod.failure() != null || pod.status().phase().terminal();
    boolean anew = !over && RestartAllPlan.due(pod);
    if (over || (!anew && exhausted(pod))) {
      draft.add(new PodAction.CompletePod());
    } else if (draft.now >= deadline) {
      draft.add(new PodAction.FailPod(DEADLINE_REASON, DEADLINE_MESSAGE));
    } else {
      draft.wake(deadline);
      if (anew) {
        RestartAllPlan.plan(pod, draft);
      } else {
        StartPlan.plan(pod, network, prePull, draft);
      }
      care(pod, draft);
    }
  }

  private static void care(PodState pod, Draft draft) {
    if (pod.containers().hooked()) {
      HookPlan.plan(pod, draft);
    }
    if (pod.containers().probed()) {
      ProbePlan.plan(pod, draft);
    }
  }

  private static long activeDeadline(PodState pod) {
    Long seconds = pod.view().spec().activeDeadlineSeconds();
    return seconds == null ? Long.MAX_VALUE : pod.startTime().toEpochMilli() + seconds * 1000;
  }

  /** Whether no container can run: initialization failed for good, or all regular ones ended. */
  private static boolean exhausted(PodState pod) {
    PodSpecView spec = pod.view().spec();
    for (ContainerSlot slot : pod.init()) {
      Terminated end = slot.end();
      if (!slot.sidecar()
          && end != null
          && end.exitCode() != 0
          && !RestartRules.wantsStart(slot, spec)) {
        return true;
      }
    }
    if (lostForGood(pod)) {
      return true;
    }
    for (ContainerSlot slot : pod.regular()) {
      if (slot.running() || slot.start().inFlight() || RestartRules.wantsStart(slot, spec)) {
        return false;
      }
    }
    return true;
  }

  /** Whether a pod that never restarts lost its sandbox after it began; it gets no other one. */
  private static boolean lostForGood(PodState pod) {
    return !pod.sandbox().exists()
        && pod.sandbox().attempt() > 0
        && pod.view().spec().restartPolicy() == RestartPolicy.NEVER
        && (pod.containers().initialized()
            || (pod.init().length > 0 && pod.init()[0].current() != null));
  }
}
