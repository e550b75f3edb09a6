package dev.vertlet.kubelet.podworker;

import dev.vertlet.kubelet.container.ContainerSlot;
import dev.vertlet.kubelet.container.RestartRules;
import dev.vertlet.kubelet.container.SlotBackOff;
import dev.vertlet.kubelet.container.SlotHooks;
import dev.vertlet.kubelet.container.StartStep;
import dev.vertlet.kubelet.container.StopCause;
import dev.vertlet.kubelet.container.WaitReasons;
import dev.vertlet.kubelet.image.ImageNames;
import dev.vertlet.kubelet.pod.PodAction;
import dev.vertlet.kubelet.pod.PodDecision.Draft;
import dev.vertlet.kubelet.pod.PodEvents;
import dev.vertlet.kubelet.pod.PodState;
import dev.vertlet.kubelet.pod.Resizing;
import dev.vertlet.kubelet.pod.Sandbox;
import dev.vertlet.kubelet.resize.ResizePlan;
import dev.vertlet.model.ImageName;
import dev.vertlet.model.pod.PodSpecView;

/**
 * Plans the start of a pod: sandbox, init containers one by one, regular containers in the order of
 * the spec, ephemeral containers whenever they appear. As in a kubelet, a container's start waits
 * for the starts of the regular containers before it, but not for their back-off.
 */
final class StartPlan {
  private final PodState pod;
  private final PodSpecView spec;
  private final Draft draft;
  private final boolean prePull;

  private StartPlan(PodState pod, boolean prePull, Draft draft) {
    this.prePull = prePull;
    this.pod = pod;
    this.spec = pod.view().spec();
    this.draft = draft;
  }

  /**
   * @param network whether the node can give the pod a network. Without one, a pod with nothing to
   *     start gets no event, unlike in a kubelet, which emits one for every pod it syncs
   * @param prePull whether the new image of a running container is pulled before the container ends
   */
  static void plan(PodState pod, boolean network, boolean prePull, Draft draft) {
    if (network || pod.view().spec().hostNetwork()) {
      new StartPlan(pod, prePull, draft).plan();
      return;
    }
    Draft wanted = new Draft(draft.now);
    new StartPlan(pod, prePull, wanted).plan();
    if (wanted.idle()) {
      draft.wake(wanted.decision().wakeAt());
    } else if (draft.now < pod.networkRetryAt()) {
      draft.wake(pod.networkRetryAt());
    } else {
      draft.add(new PodAction.AwaitNetwork());
    }
  }

  private void plan() {
    if (!pod.sandbox().exists()) {
      sandbox();
      return;
    }
    for (ContainerSlot slot : pod.ephemeral()) {
      keepRunning(slot);
    }
    startInOrder();
    Resizing resizing = pod.resizing();
    if (resizing != null) {
      ResizePlan.plan(pod, resizing, draft);
    }
  }

  private void sandbox() {
    Sandbox sandbox = pod.sandbox();
    if (sandbox.inFlight()) {
      return;
    }
    if (draft.now < sandbox.retryAt()) {
      draft.wake(sandbox.retryAt());
      return;
    }
    draft.add(new PodAction.RunSandbox(sandbox.attempt()));
  }

  /** Plans init containers one by one, and regular ones when all of those are done. */
  private void startInOrder() {
    boolean initialized = regularRuns();
    for (ContainerSlot slot : pod.init()) {
      boolean next = !initialized && !(slot.sidecar() ? slot.started() : slot.completed());
      if (next || slot.sidecar()) {
        keepRunning(slot);
      }
      if (next) {
        return;
      }
    }
    startRegular();
  }

  /** While a regular container runs, initialization is over, even if its instances are gone. */
  private boolean regularRuns() {
    for (ContainerSlot slot : pod.regular()) {
      if (slot.running()) {
        return true;
      }
    }
    return false;
  }

  private void startRegular() {
    boolean ending = false;
    for (ContainerSlot slot : pod.regular()) {
      if (ending && slot.stop().swapping() && !slot.running()) {
        continue; // containers replaced together end together, and start in order
      }
      keepRunning(slot);
      if (starts(slot)) {
        return;
      }
      ending |= slot.stop().swapping() && slot.running();
    }
  }

  /** Plans the next step of one container. */
  private void keepRunning(ContainerSlot slot) {
    if (slot.definitionChanged()) {
      boolean ready = slot.stop().swapping() || slot.start().step() == StartStep.READY;
      if (prePull && !ready) {
        prepare(slot); // the running instance goes on until the new image is present
      } else {
        replace(slot);
      }
    } else if (!postStarts(slot) && RestartRules.wantsStart(slot, spec)) {
      start(slot);
    }
  }

  /** Whether a start of the container is under way or due now: the next one waits for it. */
  private boolean starts(ContainerSlot slot) {
    if (slot.definitionChanged()) {
      return false;
    }
    if (postStarts(slot)) {
      return true;
    }
    return RestartRules.wantsStart(slot, spec)
        && switch (slot.start().step()) {
          case IDLE -> draft.now >= pausedUntil(slot) && ImageName.isValid(slot.view().image());
          case ABSENT -> pulls(slot);
          case INSPECTING, PULLING, READY, STARTING -> true;
        };
  }

  /** Whether the container runs and its postStart hook has not succeeded. */
  private static boolean postStarts(ContainerSlot slot) {
    SlotHooks hooks = slot.hooks();
    return slot.starting() || (hooks != null && hooks.postStartFailed());
  }

  /** Ends an instance of an older definition; the new one starts after its end. */
  private void replace(ContainerSlot slot) {
    long at = slot.stopAgainAt();
    if (draft.now < at) {
      draft.wake(at);
      return;
    }
    draft.add(new PodAction.StopContainer(slot, pod.swapGrace(), StopCause.REDEFINED));
  }

  private void start(ContainerSlot slot) {
    if (slot.start().step() != StartStep.READY) {
      prepare(slot);
    } else if (draft.now < slot.retryAt()) {
      draft.wake(slot.retryAt()); // the references of its environment are being read
    } else {
      String found = slot.start().imageId();
      String imageId = found == null ? "" : found;
      draft.add(new PodAction.StartContainer(slot, slot.nextAttempt(), imageId));
    }
  }

  /** Plans the next step on the way to the image. */
  private void prepare(ContainerSlot slot) {
    switch (slot.start().step()) {
      case IDLE -> {
        if (draft.now < pausedUntil(slot)) {
          pause(slot);
        } else {
          fetch(slot);
        }
      }
      case ABSENT -> fetchAbsent(slot);
      case INSPECTING, PULLING, READY, STARTING -> {}
    }
  }

  /** Time until which the container waits, after an end or after a failed start; 0 for no wait. */
  private long pausedUntil(ContainerSlot slot) {
    if (draft.now < slot.retryAt()) {
      return slot.retryAt();
    }
    SlotBackOff backOff = slot.backOff();
    return backOff == null || slot.end() == null || slot.stop().rerun()
        ? 0
        : restartAfter(slot, backOff);
  }

  /** Plans what the pod shows of a pause. */
  private void pause(ContainerSlot slot) {
    draft.wake(pausedUntil(slot));
    SlotBackOff backOff = slot.backOff();
    if (backOff == null) {
      return;
    }
    if (draft.now < slot.retryAt()) {
      if (backOff.pullFailed() && !slot.waitsFor(WaitReasons.IMAGE_PULL_BACK_OFF)) {
        show(backOff.showsBackOffAt(), new PodAction.BackOffPull(slot));
      }
      return;
    }
    if (!backOff.reported(slot.nextAttempt())) {
      draft.add(new PodAction.BackOffRestart(slot));
    }
    if (!slot.waitsFor(WaitReasons.CRASH_LOOP_BACK_OFF)) {
      show(backOff.showsRestartAt(slot.finishedAt()), new PodAction.ShowBackOff(slot));
    }
  }

  private void show(long at, PodAction action) {
    if (draft.now < at) {
      draft.wake(at);
    } else {
      draft.add(action);
    }
  }

  /**
   * Time until which a restart waits; 0 for no wait. A kubelet that ends a container for a probe
   * starts it again in the same sync: its back-off counts from the end of the previous instance,
   * which may be long ago.
   */
  private static long restartAfter(ContainerSlot slot, SlotBackOff backOff) {
    int attempt = slot.nextAttempt();
    long finished = slot.finishedAt();
    boolean atOnce =
        slot.stop().probeKilled()
            && backOff.restartAfter(attempt, slot.lastFinishedAt()) <= finished;
    return atOnce ? 0 : backOff.restartAfter(attempt, finished);
  }

  private void fetch(ContainerSlot slot) {
    if (!ImageName.isValid(slot.view().image())) {
      draft.add(
          new PodAction.RefuseImage(
              slot,
              WaitReasons.INVALID_IMAGE_NAME,
              PodEvents.INSPECT_FAILED,
              ImageNames.refusal(slot.view().image())));
    } else if (slot.view().imagePullPolicy().equals("Always")) {
      draft.add(new PodAction.PullImage(slot));
    } else {
      draft.add(new PodAction.InspectImage(slot));
    }
  }

  private static boolean pulls(ContainerSlot slot) {
    return !slot.view().imagePullPolicy().equals("Never");
  }

  private void fetchAbsent(ContainerSlot slot) {
    if (pulls(slot)) {
      draft.add(new PodAction.PullImage(slot));
      return;
    }
    draft.add(
        new PodAction.RefuseImage(
            slot,
            WaitReasons.ERR_IMAGE_NEVER_PULL,
            WaitReasons.ERR_IMAGE_NEVER_PULL,
            "Container image \""
                + slot.view().image()
                + "\" is not present with pull policy of Never"));
  }
}
