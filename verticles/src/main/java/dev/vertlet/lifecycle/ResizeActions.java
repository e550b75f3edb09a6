package dev.vertlet.lifecycle;

import static dev.vertlet.lifecycle.ActionPerformer.text;

import dev.vertlet.model.ConditionView;
import dev.vertlet.model.ContainerView;
import dev.vertlet.model.PodView;
import dev.vertlet.model.ResourcesView;
import dev.vertlet.provider.ContainerRecord;
import dev.vertlet.provider.ContainerRuntime;
import java.time.Duration;

/** Performs what is decided about a resize that was granted. */
final class ResizeActions {
  private final ActionPerformer performer;
  private final ContainerRuntime runtime;
  private final PodEvents events;
  private final CoreMeters meters;

  ResizeActions(
      ActionPerformer performer, ContainerRuntime runtime, PodEvents events, CoreMeters meters) {
    this.performer = performer;
    this.runtime = runtime;
    this.events = events;
    this.meters = meters;
  }

  void update(PodState pod, ContainerSlot slot, ResourcesView next) {
    Resizing resizing = pod.resizing;
    ContainerRecord record = slot.current;
    if (resizing == null || record == null) {
      return;
    }
    resizing.inFlight = true;
    PodView view = pod.pod;
    ContainerView container = slot.view.withResources(next);
    performer.call(
        pod,
        () -> runtime.updateResources(view, container, record.id()),
        (nothing, failure) -> {
          resizing.inFlight = false;
          if (pod.resizing != resizing) {
            return;
          }
          if (failure != null) {
            failed(pod, resizing, failure);
          } else if (slot.current != null && slot.current.id().equals(record.id())) {
            resizing.changed(slot.name(), next);
            pod.dirty = true;
          }
        });
  }

  private void failed(PodState pod, Resizing resizing, Throwable failure) {
    String message = text(failure);
    meters.resized(false, took(resizing));
    resizing.since = performer.now();
    resizing.retryAt = performer.retryAt();
    boolean news = resizing.failed(message, pod.pod.generation(), performer.instant());
    pod.dirty = true;
    if (news && events.enabled()) {
      long generation = generation(resizing, pod);
      events.warning(
          pod,
          PodEvents.RESIZE_ERROR,
          ResizeSummary.of("Pod resize error", pod.pod, generation, message));
    }
  }

  void complete(PodState pod) {
    Resizing resizing = pod.resizing;
    if (resizing == null) {
      return;
    }
    if (events.enabled()) {
      long generation = generation(resizing, pod);
      events.normal(
          pod,
          PodEvents.RESIZE_COMPLETED,
          ResizeSummary.of("Pod resize completed", pod.pod, generation, ""));
    }
    if (resizing.since > 0) {
      meters.resized(true, took(resizing));
    }
    resizing.done();
    pod.settleResize();
    pod.dirty = true;
  }

  private Duration took(Resizing resizing) {
    return Duration.ofMillis(Math.max(0, performer.now() - resizing.since));
  }

  private static long generation(Resizing resizing, PodState pod) {
    ConditionView shown = resizing.inProgress();
    Long observed = shown == null ? null : shown.observedGeneration();
    return observed == null ? pod.pod.generation() : observed;
  }
}
