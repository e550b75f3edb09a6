package dev.vertlet.lifecycle;

import static dev.vertlet.lifecycle.ActionPerformer.reason;
import static dev.vertlet.lifecycle.ActionPerformer.text;

import dev.vertlet.lifecycle.ContainerSlot.Step;
import dev.vertlet.model.ContainerView;
import dev.vertlet.model.PodView;
import dev.vertlet.provider.ContainerRecord;
import dev.vertlet.provider.ContainerRuntime;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Performs decisions about single containers: fetch the image, start, wait, stop. */
final class ContainerActions {
  private final ActionPerformer performer;
  private final ContainerRuntime runtime;
  private final PodEvents events;
  private final long maxBackOff;

  ContainerActions(
      ActionPerformer performer, ContainerRuntime runtime, PodEvents events, long maxBackOff) {
    this.performer = performer;
    this.runtime = runtime;
    this.events = events;
    this.maxBackOff = maxBackOff;
  }

  void perform(PodState pod, PodAction action) {
    if (action instanceof PodAction.InspectImage inspect) {
      inspect(pod, inspect.slot());
    } else if (action instanceof PodAction.PullImage pull) {
      pull(pod, pull.slot());
    } else if (action instanceof PodAction.RefuseImage refuse) {
      events.warning(pod, refuse.slot(), refuse.event(), refuse.message());
      failStart(pod, refuse.slot(), refuse.reason(), refuse.message());
    } else if (action instanceof PodAction.StartContainer start) {
      start(pod, start.slot(), start.attempt(), start.imageId());
    } else if (action instanceof PodAction.BackOffRestart wait) {
      backOffRestart(pod, wait.slot());
    } else if (action instanceof PodAction.BackOffPull wait) {
      backOffPull(pod, wait.slot());
    } else if (action instanceof PodAction.StopContainer stop) {
      stop(pod, stop);
    } else {
      throw new IllegalStateException("not a container's action: " + action);
    }
  }

  private void inspect(PodState pod, ContainerSlot slot) {
    ContainerView view = slot.view;
    slot.step = Step.INSPECTING;
    performer.call(
        pod,
        () -> runtime.imageId(pod.node(), view.image()),
        (found, failure) -> {
          if (slot.step != Step.INSPECTING || !sameImage(slot, view)) {
            return;
          }
          if (failure != null) {
            inspectFailed(pod, slot, failure);
          } else {
            inspected(pod, slot, found);
          }
        });
  }

  @SuppressWarnings("OptionalUsedAsFieldOrParameterType") // the runtime's own answer
  private void inspected(PodState pod, ContainerSlot slot, @Nullable Optional<String> found) {
    if (found == null || found.isEmpty()) {
      slot.step = Step.ABSENT;
      return;
    }
    slot.resolved(found.get());
    events.normal(
        pod,
        slot,
        PodEvents.PULLED,
        "Container image "
            + quoted(slot)
            + " already present on machine and can be accessed by the pod");
  }

  private void inspectFailed(PodState pod, ContainerSlot slot, Throwable failure) {
    if (performer.refused(pod, failure)) {
      slot.step = Step.IDLE;
      return;
    }
    String message = "Failed to inspect image " + quoted(slot) + ": " + text(failure);
    events.warning(pod, slot, PodEvents.INSPECT_FAILED, message);
    failStart(pod, slot, WaitReasons.IMAGE_INSPECT_ERROR, message);
  }

  private void pull(PodState pod, ContainerSlot slot) {
    ContainerView view = slot.view;
    PodView podView = pod.pod;
    long began = performer.now();
    slot.step = Step.PULLING;
    events.normal(pod, slot, PodEvents.PULLING, "Pulling image " + quoted(slot));
    performer.call(
        pod,
        () -> runtime.pull(podView, view),
        (imageId, failure) -> {
          if (slot.step != Step.PULLING || !sameImage(slot, view)) {
            return;
          }
          if (imageId == null) {
            pullFailed(pod, slot, failure);
          } else {
            slot.resolved(imageId);
            pulled(pod, slot, performer.now() - began);
          }
        });
  }

  private void pulled(PodState pod, ContainerSlot slot, long millis) {
    String took = GoDuration.text(Duration.ofMillis(Math.max(0, millis)));
    events.normal(
        pod,
        slot,
        PodEvents.PULLED,
        "Successfully pulled image "
            + quoted(slot)
            + " in "
            + took
            + " ("
            + took
            + " including waiting).");
  }

  private void pullFailed(PodState pod, ContainerSlot slot, @Nullable Throwable failure) {
    if (failure != null && performer.refused(pod, failure)) {
      slot.step = Step.IDLE;
      return;
    }
    String message = failure == null ? "the runtime named no image" : text(failure);
    String reason =
        failure == null
            ? WaitReasons.ERR_IMAGE_PULL
            : WaitReasons.ofPull(reason(failure, WaitReasons.ERR_IMAGE_PULL));
    events.warning(
        pod, slot, PodEvents.FAILED, "Failed to pull image " + quoted(slot) + ": " + message);
    events.warning(pod, slot, PodEvents.FAILED, "Error: " + reason);
    slot.failed(reason, message, slot.backOffs().pullFailed(performer.now()));
    pod.dirty = true;
  }

  private void backOffPull(PodState pod, ContainerSlot slot) {
    String message = "Back-off pulling image " + quoted(slot);
    events.normal(pod, slot, PodEvents.BACK_OFF, message);
    events.warning(pod, slot, PodEvents.FAILED, "Error: " + WaitReasons.IMAGE_PULL_BACK_OFF);
    slot.wait(
        WaitReasons.IMAGE_PULL_BACK_OFF,
        message + ": " + slot.waitReason + ": " + slot.waitMessage);
    pod.dirty = true;
  }

  private void start(PodState pod, ContainerSlot slot, int attempt, String imageId) {
    ContainerView view = slot.view;
    PodView podView = pod.pod;
    slot.step = Step.STARTING;
    slot.startImage = view.image();
    if (slot.end() != null && !slot.rerun) {
      slot.backOffs().restarting(attempt, slot.finishedAt(), performer.now(), maxBackOff);
    }
    performer.make(
        pod,
        () -> runtime.startContainer(podView, view, attempt, imageId),
        (record, failure) -> {
          if (record != null) {
            started(pod, slot, record);
          } else if (slot.step == Step.STARTING && slot.nextAttempt() == attempt) {
            startFailed(pod, slot, failure);
          }
        });
  }

  private void started(PodState pod, ContainerSlot slot, ContainerRecord record) {
    pod.observe(record);
    events.normal(pod, slot, PodEvents.CREATED, "Container created");
    events.normal(pod, slot, PodEvents.STARTED, "Container started");
  }

  private void startFailed(PodState pod, ContainerSlot slot, @Nullable Throwable failure) {
    if (failure != null && performer.refused(pod, failure)) {
      slot.step = Step.IDLE;
      return;
    }
    String message = failure == null ? "the runtime named no instance" : text(failure);
    String reason =
        failure == null
            ? WaitReasons.RUN_CONTAINER_ERROR
            : reason(failure, WaitReasons.RUN_CONTAINER_ERROR);
    slot.failed(reason, message, performer.retryAt());
    events.warning(pod, slot, PodEvents.FAILED, "Error: " + message);
    pod.dirty = true;
  }

  private void failStart(PodState pod, ContainerSlot slot, String reason, String message) {
    events.warning(pod, slot, PodEvents.FAILED, "Error: " + reason);
    slot.failed(reason, message, performer.retryAt());
    pod.dirty = true;
  }

  private void backOffRestart(PodState pod, ContainerSlot slot) {
    String whose = PodEvents.describe(pod.pod);
    String pause = GoDuration.text(Duration.ofMillis(slot.backOffs().restartStep));
    events.warning(
        pod,
        slot,
        PodEvents.BACK_OFF,
        "Back-off restarting failed container " + slot.name() + " in pod " + whose);
    slot.wait(
        WaitReasons.CRASH_LOOP_BACK_OFF,
        "back-off " + pause + " restarting failed container=" + slot.name() + " pod=" + whose);
    pod.dirty = true;
  }

  private void stop(PodState pod, PodAction.StopContainer stop) {
    ContainerSlot slot = stop.slot();
    ContainerRecord record = slot.current;
    if (record == null) {
      return;
    }
    if (slot.stopDeadline == 0) {
      events.normal(pod, slot, PodEvents.KILLING, stop.message());
    }
    slot.stopDeadline = performer.now() + stop.graceMillis();
    slot.rerun |= stop.rerun();
    performer.call(
        pod,
        () ->
            runtime.stopContainer(
                pod.pod.ref(), record.id(), Duration.ofMillis(stop.graceMillis())),
        (nothing, failure) -> {
          if (slot.current == null || !slot.current.id().equals(record.id()) || !slot.running()) {
            return;
          }
          if (failure == null || ActionPerformer.unknownToRuntime(failure)) {
            // it is gone and its end was not told
            slot.vanished(performer.instant());
            pod.dirty = true;
          } else {
            stopFailed(pod, slot, failure);
          }
        });
  }

  private void stopFailed(PodState pod, ContainerSlot slot, Throwable failure) {
    slot.stopDeadline = 0;
    slot.retryAt = performer.retryAt();
    performer.killFailed(pod, failure);
  }

  private static boolean sameImage(ContainerSlot slot, ContainerView asked) {
    return slot.view.image().equals(asked.image());
  }

  private static String quoted(ContainerSlot slot) {
    return '"' + slot.view.image() + '"';
  }
}
