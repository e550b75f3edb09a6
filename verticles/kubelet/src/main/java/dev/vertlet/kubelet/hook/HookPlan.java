package dev.vertlet.kubelet.hook;

import dev.vertlet.kubelet.container.ContainerSlot;
import dev.vertlet.kubelet.container.SlotHooks;
import dev.vertlet.kubelet.container.StopCause;
import dev.vertlet.kubelet.pod.PodAction;
import dev.vertlet.kubelet.pod.PodDecision.Draft;
import dev.vertlet.kubelet.pod.PodState;

/** Plans which hooks of a pod begin or are over, and which containers end for a failed one. */
public final class HookPlan {
  private HookPlan() {}

  public static void plan(PodState pod, Draft draft) {
    plan(pod, pod.regular(), draft);
    plan(pod, pod.init(), draft);
  }

  private static void plan(PodState pod, ContainerSlot[] slots, Draft draft) {
    for (ContainerSlot slot : slots) {
      SlotHooks hooks = slot.hooks();
      if (hooks == null || !slot.running()) {
        continue;
      }
      if (hooks.postStartDue() && !pod.ending()) {
        draft.add(new PodAction.PostStart(slot));
      } else if (hooks.running() != null && draft.now >= hooks.endsAt()) {
        draft.add(new PodAction.EndHook(slot));
      } else if (hooks.running() != null) {
        draft.wake(hooks.endsAt());
      }
      if (hooks.postStartFailed() && !pod.ending() && !slot.definitionChanged()) {
        end(pod, slot, draft);
      }
    }
  }

  /** Stops a container, and repeats that if the stop failed or hangs. */
  private static void end(PodState pod, ContainerSlot slot, Draft draft) {
    long at = slot.stopAgainAt();
    if (draft.now < at) {
      draft.wake(at);
      return;
    }
    long grace = pod.view().spec().terminationGracePeriodSeconds() * 1000;
    draft.add(new PodAction.StopContainer(slot, grace, StopCause.POST_START));
  }
}
