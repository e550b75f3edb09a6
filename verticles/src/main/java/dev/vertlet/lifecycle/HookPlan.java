package dev.vertlet.lifecycle;

import dev.vertlet.lifecycle.PodDecision.Draft;

/** Which hooks of a pod have to begin, and which are over. */
final class HookPlan {
  private HookPlan() {}

  static void plan(PodState pod, Draft draft) {
    plan(pod, pod.regular, draft);
    plan(pod, pod.init, draft);
  }

  private static void plan(PodState pod, ContainerSlot[] slots, Draft draft) {
    for (ContainerSlot slot : slots) {
      SlotHooks hooks = slot.hooks;
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
    }
  }
}
