package dev.vertlet.kubelet.resize;

import static dev.vertlet.kubelet.pod.RuntimeCalls.text;

import dev.vertlet.kubelet.container.ContainerSlot;
import dev.vertlet.kubelet.pod.CoreEnv;
import dev.vertlet.kubelet.pod.CoreMeters;
import dev.vertlet.kubelet.pod.PodEvents;
import dev.vertlet.kubelet.pod.PodState;
import dev.vertlet.kubelet.pod.Resizing;
import dev.vertlet.kubelet.pod.RuntimeCalls;
import dev.vertlet.kubelet.pod.RuntimeOperation;
import dev.vertlet.model.GoDuration;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ConditionView;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerRuntime;
import java.time.Duration;

/** Performs the actions of a granted resize. */
public final class ResizeActions {
  private static final String LATE =
      "the container runtime did not answer within "
          + GoDuration.format(Duration.ofMillis(Resizing.PATIENCE))
          + ": context deadline exceeded";

  private final RuntimeCalls calls;
  private final ContainerRuntime runtime;
  private final PodEvents events;
  private final CoreMeters meters;

  public ResizeActions(CoreEnv env, RuntimeCalls calls) {
    this.calls = calls;
    this.runtime = env.runtime();
    this.events = env.events();
    this.meters = env.meters();
  }

  public void update(PodState pod, ContainerSlot slot, ResourcesView next) {
    Resizing resizing = pod.resizing();
    ContainerRecord record = slot.current();
    if (resizing == null || record == null) {
      return;
    }
    Resizing.Update update =
        new Resizing.Update(slot, record.id(), calls.now() + Resizing.PATIENCE);
    resizing.asks(update);
    PodView view = pod.view();
    ContainerView container = slot.view().withResources(next);
    calls.call(
        pod,
        RuntimeOperation.UPDATE_CONTAINER,
        () -> runtime.updateResources(view, container, record.id()),
        (nothing, failure) -> {
          boolean late = !resizing.answered(update);
          if (pod.resizing() != resizing || !update.counts()) {
            return;
          }
          if (failure == null) {
            // a late answer counts, too: this update was the last one done, whatever was asked for
            // meanwhile
            resizing.changed(slot.name(), next);
            pod.changed();
          } else if (!late) {
            failed(pod, resizing, text(failure));
          }
        });
  }

  /** Gives up an update without a timely answer, which is repeated and may still answer. */
  public void giveUp(PodState pod) {
    Resizing resizing = pod.resizing();
    Resizing.Update update = resizing == null ? null : resizing.update();
    if (resizing != null && update != null && resizing.answered(update)) {
      failed(pod, resizing, LATE);
    }
  }

  private void failed(PodState pod, Resizing resizing, String message) {
    meters.resized(false, took(resizing));
    boolean news =
        resizing.failed(message, pod.view().generation(), calls.instant(), calls.retryAt());
    pod.changed();
    if (news && events.enabled()) {
      long generation = generation(resizing, pod);
      events.warning(
          pod,
          PodEvents.RESIZE_ERROR,
          ResizeSummary.of("Pod resize error", pod.view(), generation, message));
    }
  }

  public void complete(PodState pod) {
    Resizing resizing = pod.resizing();
    if (resizing == null) {
      return;
    }
    if (events.enabled()) {
      long generation = generation(resizing, pod);
      events.normal(
          pod,
          PodEvents.RESIZE_COMPLETED,
          ResizeSummary.of("Pod resize completed", pod.view(), generation, ""));
    }
    if (resizing.since() > 0) {
      meters.resized(true, took(resizing));
    }
    resizing.done();
    pod.settleResize();
    pod.changed();
  }

  private Duration took(Resizing resizing) {
    return Duration.ofMillis(Math.max(0, calls.now() - resizing.since()));
  }

  private static long generation(Resizing resizing, PodState pod) {
    ConditionView shown = resizing.inProgress();
    Long observed = shown == null ? null : shown.observedGeneration();
    return observed == null ? pod.view().generation() : observed;
  }
}
