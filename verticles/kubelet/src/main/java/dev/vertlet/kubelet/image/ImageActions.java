package dev.vertlet.kubelet.image;

import static dev.vertlet.kubelet.pod.RuntimeCalls.reason;
import static dev.vertlet.kubelet.pod.RuntimeCalls.text;

import dev.vertlet.kubelet.container.ContainerSlot;
import dev.vertlet.kubelet.container.StartStep;
import dev.vertlet.kubelet.container.WaitReasons;
import dev.vertlet.kubelet.pod.CoreEnv;
import dev.vertlet.kubelet.pod.PodAction;
import dev.vertlet.kubelet.pod.PodEvents;
import dev.vertlet.kubelet.pod.PodState;
import dev.vertlet.kubelet.pod.RuntimeCalls;
import dev.vertlet.kubelet.pod.RuntimeOperation;
import dev.vertlet.model.GoDuration;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView.Waiting;
import dev.vertlet.provider.container.ContainerRuntime;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Performs actions on images: inspect, pull, back off, refuse. */
public final class ImageActions {
  private final RuntimeCalls calls;
  private final ContainerRuntime runtime;
  private final PodEvents events;
  private final Consumer<String> pulled;

  /**
   * @param pulled takes the name of a node after an image pull on it
   */
  public ImageActions(CoreEnv env, RuntimeCalls calls, Consumer<String> pulled) {
    this.calls = calls;
    this.runtime = env.runtime();
    this.events = env.events();
    this.pulled = pulled;
  }

  public void perform(PodState pod, PodAction action) {
    if (action instanceof PodAction.InspectImage inspect) {
      inspect(pod, inspect.slot());
    } else if (action instanceof PodAction.PullImage pull) {
      pull(pod, pull.slot());
    } else if (action instanceof PodAction.BackOffPull wait) {
      backOffPull(pod, wait.slot());
    } else if (action instanceof PodAction.RefuseImage refuse) {
      events.warning(pod, refuse.slot(), refuse.event(), refuse.message());
      failStart(pod, refuse.slot(), refuse.reason(), refuse.message());
    } else {
      throw new IllegalStateException("unknown action " + action);
    }
  }

  private void inspect(PodState pod, ContainerSlot slot) {
    ContainerView view = slot.view();
    slot.start(slot.start().at(StartStep.INSPECTING));
    calls.call(
        pod,
        RuntimeOperation.IMAGE_STATUS,
        () -> runtime.imageId(pod.node(), view.image()),
        (found, failure) -> {
          if (slot.start().step() != StartStep.INSPECTING || !sameImage(slot, view)) {
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
      slot.start(slot.start().at(StartStep.ABSENT));
      return;
    }
    slot.start(slot.start().ready(found.get()));
    if (events.enabled()) {
      String message =
          "Container image "
              + quoted(slot)
              + " already present on machine and can be accessed by the pod";
      events.normal(pod, slot, PodEvents.PULLED, message);
    }
  }

  private void inspectFailed(PodState pod, ContainerSlot slot, Throwable failure) {
    if (calls.refused(pod, failure)) {
      slot.start(slot.start().over());
      return;
    }
    String message = "Failed to inspect image " + quoted(slot) + ": " + text(failure);
    events.warning(pod, slot, PodEvents.INSPECT_FAILED, message);
    failStart(pod, slot, WaitReasons.IMAGE_INSPECT_ERROR, message);
  }

  private void pull(PodState pod, ContainerSlot slot) {
    ContainerView view = slot.view();
    PodView podView = pod.view();
    long began = calls.now();
    slot.start(slot.start().at(StartStep.PULLING));
    if (events.enabled()) {
      events.normal(pod, slot, PodEvents.PULLING, "Pulling image " + quoted(slot));
    }
    calls.call(
        pod,
        RuntimeOperation.PULL_IMAGE,
        () -> runtime.pull(podView, view),
        (imageId, failure) -> {
          if (slot.start().step() != StartStep.PULLING || !sameImage(slot, view)) {
            return;
          }
          if (imageId == null) {
            pullFailed(pod, slot, failure);
            return;
          }
          pulled.accept(pod.node());
          if (events.enabled()) {
            measure(pod, slot, imageId, calls.now() - began);
          } else {
            slot.start(slot.start().ready(imageId));
          }
        });
  }

  /** Asks for the image's size first: the event has it, and precedes those of the start. */
  private void measure(PodState pod, ContainerSlot slot, String imageId, long millis) {
    ContainerView view = slot.view();
    calls.call(
        pod,
        RuntimeOperation.IMAGE_STATUS,
        () -> runtime.imageSize(pod.node(), imageId),
        (size, failure) -> {
          if (slot.start().step() == StartStep.PULLING && sameImage(slot, view)) {
            slot.start(slot.start().ready(imageId));
            pulled(pod, slot, millis, size == null ? 0 : size);
          }
        });
  }

  private void pulled(PodState pod, ContainerSlot slot, long millis, long bytes) {
    String took = GoDuration.format(Duration.ofMillis(Math.max(0, millis)));
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
            + " including waiting)."
            + (bytes > 0 ? " Image size: " + bytes + " bytes." : ""));
  }

  private void pullFailed(PodState pod, ContainerSlot slot, @Nullable Throwable failure) {
    if (failure != null && calls.refused(pod, failure)) {
      slot.start(slot.start().over());
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
    slot.startFailed(reason, message, slot.backOffs().pullFailed(calls.now()));
    pod.changed();
  }

  private void backOffPull(PodState pod, ContainerSlot slot) {
    String message = "Back-off pulling image " + quoted(slot);
    Waiting failed = slot.waiting();
    events.normal(pod, slot, PodEvents.BACK_OFF, message);
    events.warning(pod, slot, PodEvents.FAILED, "Error: " + WaitReasons.IMAGE_PULL_BACK_OFF);
    slot.wait(
        WaitReasons.IMAGE_PULL_BACK_OFF,
        failed == null ? message : message + ": " + failed.reason() + ": " + failed.message());
    pod.changed();
  }

  private void failStart(PodState pod, ContainerSlot slot, String reason, String message) {
    events.warning(pod, slot, PodEvents.FAILED, "Error: " + reason);
    slot.startFailed(reason, message, calls.retryAt());
    pod.changed();
  }

  private static boolean sameImage(ContainerSlot slot, ContainerView asked) {
    return slot.view().image().equals(asked.image());
  }

  private static String quoted(ContainerSlot slot) {
    return '"' + slot.view().image() + '"';
  }
}
