package dev.vertlet.lifecycle.podworker;

import dev.vertlet.lifecycle.container.ContainerSlot;
import dev.vertlet.lifecycle.container.SlotBackOff;
import dev.vertlet.lifecycle.container.SlotHooks;
import dev.vertlet.lifecycle.container.StartStep;
import dev.vertlet.lifecycle.container.StopCause;
import dev.vertlet.lifecycle.container.WaitReasons;
import dev.vertlet.lifecycle.image.ImageNames;
import dev.vertlet.lifecycle.pod.PodAction;
import dev.vertlet.lifecycle.pod.PodDecision.Draft;
import dev.vertlet.lifecycle.pod.PodEvents;
import dev.vertlet.lifecycle.pod.PodState;
import dev.vertlet.lifecycle.pod.Resizing;
import dev.vertlet.lifecycle.pod.SandboxState;
import dev.vertlet.lifecycle.resize.ResizePlan;
import dev.vertlet.model.ImageName;
import dev.vertlet.model.PodSpecView;

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
    } else if (draft.now < pod.sandbox().networkRetryAt()) {
      draft.wake(pod.sandbox().networkRetryAt());
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
    if (init()) {
      regular();
    }
    Resizing resizing = pod.resizing();
    if (resizing != null) {
      ResizePlan.plan(pod, resizing, draft);
    }
  }

  private void sandbox() {
    SandboxState sandbox = pod.sandbox();
    if (sandbox.inFlight()) {
      return;
    }
    if (draft.now < sandbox.retryAt()) {
      draft.wake(sandbox.retryAt());
      return;
    }
    draft.add(new PodAction.RunSandbox(sandbox.attempt()));
  }

  /** Advances init containers; returns whether regular containers may start. */
  private boolean init() {
    boolean before = regularRuns();
    for (ContainerSlot slot : pod.init()) {
      if (slot.sidecar()) {
        keepRunning(slot);
        if (!before && !slot.started()) {
          return false;
        }
      } else if (!before && !slot.completed()) {
        keepRunning(slot);
        return false;
      }
    }
    return true;
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

  private void regular() {
    boolean ending = false;
    for (ContainerSlot slot : pod.regular()) {
      if (ending && slot.stop().swapping() && !slot.running()) {
        continue; // containers replaced together end together, and start in order
      }
      if (keepRunning(slot)) {
        return;
      }
      ending |= slot.stop().swapping() && slot.running();
    }
  }

  /** Plans the next step of one container; returns whether its start is under way. */
  private boolean keepRunning(ContainerSlot slot) {
    if (slot.definitionChanged()) {
      if (!prePull || slot.stop().swapping() || pulled(slot)) {
        replace(slot);
      }
      return false;
    }
    SlotHooks hooks = slot.hooks();
    if (slot.starting() || (hooks != null && hooks.postStartFailed())) {
      return true;
    }
    return slot.wantsStart(spec) && start(slot);
  }

  /** Whether the new image is present; the running instance goes on until it is. */
  private boolean pulled(ContainerSlot slot) {
    switch (slot.step()) {
      case IDLE -> {
        if (!paused(slot)) {
          fetch(slot);
        }
      }
      case ABSENT -> fetchAbsent(slot);
      case INSPECTING, PULLING, READY, STARTING -> {}
    }
    return slot.step() == StartStep.READY;
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

  private boolean start(ContainerSlot slot) {
    return switch (slot.step()) {
      case IDLE -> !paused(slot) && fetch(slot);
      case ABSENT -> fetchAbsent(slot);
      case READY -> {
        if (draft.now < slot.retryAt()) {
          // the references of its environment are being read
          draft.wake(slot.retryAt());
          yield true;
        }
        String found = slot.imageId();
        String imageId = found == null ? "" : found;
        draft.add(new PodAction.StartContainer(slot, slot.nextAttempt(), imageId));
        yield true;
      }
      case INSPECTING, PULLING, STARTING -> true;
    };
  }

  /** Whether the container has to wait, after an end or after a failed start. */
  private boolean paused(ContainerSlot slot) {
    if (draft.now < slot.retryAt()) {
      pausedByFailure(slot);
      return true;
    }
    SlotBackOff backOff = slot.backOff();
    if (backOff == null || slot.end() == null || slot.stop().rerun()) {
      return false;
    }
    long until = slot.restartAfter(backOff);
    if (draft.now >= until) {
      return false;
    }
    draft.wake(until);
    if (backOff.news(slot.nextAttempt())) {
      draft.add(new PodAction.BackOffRestart(slot));
    }
    long shows = backOff.showsRestartAt(slot.finishedAt());
    if (draft.now < shows) {
      draft.wake(shows);
    } else if (!slot.waitsFor(WaitReasons.CRASH_LOOP_BACK_OFF)) {
      draft.add(new PodAction.ShowBackOff(slot));
    }
    return true;
  }

  private void pausedByFailure(ContainerSlot slot) {
    draft.wake(slot.retryAt());
    SlotBackOff backOff = slot.backOff();
    if (backOff == null
        || !backOff.pullFailed()
        || slot.waitsFor(WaitReasons.IMAGE_PULL_BACK_OFF)) {
      return;
    }
    if (draft.now >= backOff.showsBackOffAt()) {
      draft.add(new PodAction.BackOffPull(slot));
    } else {
      draft.wake(backOff.showsBackOffAt());
    }
  }

  private boolean fetch(ContainerSlot slot) {
    if (!ImageName.isValid(slot.view().image())) {
      draft.add(
          new PodAction.RefuseImage(
              slot,
              WaitReasons.INVALID_IMAGE_NAME,
              PodEvents.INSPECT_FAILED,
              ImageNames.refusal(slot.view().image())));
      return false;
    }
    draft.add(
        slot.view().imagePullPolicy().equals("Always")
            ? new PodAction.PullImage(slot)
            : new PodAction.InspectImage(slot));
    return true;
  }

  private boolean fetchAbsent(ContainerSlot slot) {
    if (!slot.view().imagePullPolicy().equals("Never")) {
      draft.add(new PodAction.PullImage(slot));
      return true;
    }
    draft.add(
        new PodAction.RefuseImage(
            slot,
            WaitReasons.ERR_IMAGE_NEVER_PULL,
            WaitReasons.ERR_IMAGE_NEVER_PULL,
            "Container image \""
                + slot.view().image()
                + "\" is not present with pull policy of Never"));
    return false;
  }
}
