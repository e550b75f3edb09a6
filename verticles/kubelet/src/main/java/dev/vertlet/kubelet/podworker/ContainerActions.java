package dev.vertlet.kubelet.podworker;

import static dev.vertlet.kubelet.pod.RuntimeCalls.reason;
import static dev.vertlet.kubelet.pod.RuntimeCalls.text;

import dev.vertlet.env.Commands;
import dev.vertlet.env.Resolution;
import dev.vertlet.kubelet.container.ContainerSlot;
import dev.vertlet.kubelet.container.RestartRules;
import dev.vertlet.kubelet.container.SlotHooks;
import dev.vertlet.kubelet.container.StartStep;
import dev.vertlet.kubelet.container.StopCause;
import dev.vertlet.kubelet.container.WaitReasons;
import dev.vertlet.kubelet.hook.HookActions;
import dev.vertlet.kubelet.pod.ContainerListener;
import dev.vertlet.kubelet.pod.CoreEnv;
import dev.vertlet.kubelet.pod.PodAction;
import dev.vertlet.kubelet.pod.PodEvents;
import dev.vertlet.kubelet.pod.PodState;
import dev.vertlet.kubelet.pod.RuntimeCalls;
import dev.vertlet.kubelet.pod.RuntimeOperation;
import dev.vertlet.model.GoDuration;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerRuntime;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Performs actions on single containers: start, back-off, stop. */
final class ContainerActions {
  private final RuntimeCalls calls;
  private final ContainerRuntime runtime;
  private final PodEvents events;
  private final ContainerListener listener;
  private final ContainerEnvironments environments;
  private final HookActions hooks;

  ContainerActions(CoreEnv env, RuntimeCalls calls, ContainerEnvironments environments) {
    this.runtime = env.runtime();
    this.calls = calls;
    this.events = env.events();
    this.listener = env.listener();
    this.environments = environments;
    this.hooks = new HookActions(env, calls, this::stopNow);
  }

  HookActions hooks() {
    return hooks;
  }

  /** Performs the action and returns true, if it is an action on a container. */
  boolean perform(PodState pod, PodAction action) {
    if (action instanceof PodAction.StartContainer start) {
      start(pod, start.slot(), start.attempt(), start.imageId());
    } else if (action instanceof PodAction.BackOffRestart wait) {
      backOffRestart(pod, wait.slot());
    } else if (action instanceof PodAction.ShowBackOff shown) {
      showBackOff(pod, shown.slot());
    } else if (action instanceof PodAction.StopContainer stop) {
      stop(pod, stop);
    } else if (action instanceof PodAction.AnnounceStop announce) {
      announce(pod, announce.slot());
    } else {
      return false;
    }
    return true;
  }

  private void start(PodState pod, ContainerSlot slot, int attempt, String imageId) {
    if (!environments.needed(slot)) {
      start(pod, slot, attempt, imageId, Map.of());
      return;
    }
    Resolution resolution = environments.resolve(pod, slot);
    if (resolution instanceof Resolution.Resolved resolved) {
      start(pod, slot, attempt, imageId, resolved.variables());
    } else if (resolution instanceof Resolution.Waiting waiting) {
      slot.postponeStart(waiting.until());
    } else if (resolution instanceof Resolution.Failed failed) {
      events.warning(pod, slot, PodEvents.FAILED, "Error: " + failed.message());
      slot.startFailed(
          WaitReasons.CREATE_CONTAINER_CONFIG_ERROR, failed.message(), calls.retryAt());
      pod.changed();
    }
  }

  private void start(
      PodState pod,
      ContainerSlot slot,
      int attempt,
      String imageId,
      Map<String, String> environment) {
    ContainerView view = slot.view();
    PodView podView = pod.view();
    slot.startRequested();
    if (pod.resizing() != null) {
      pod.resizing().starts(slot.name());
    }
    boolean first = slot.stop().probeKilled() && slot.last() == null;
    if (slot.end() != null && !slot.stop().rerun() && !first) {
      slot.backOffs().restarting(attempt, slot.finishedAt(), calls.now(), calls.backOff(pod));
    }
    calls.make(
        pod,
        RuntimeOperation.START_CONTAINER,
        () ->
            runtime.usesEnvironment()
                ? runtime.startContainer(
                    podView, Commands.expand(view, environment), attempt, imageId, environment)
                : runtime.startContainer(podView, view, attempt, imageId),
        (record, failure) -> {
          if (record != null) {
            started(pod, slot, record);
          } else if (slot.start().step() == StartStep.STARTING && slot.nextAttempt() == attempt) {
            startFailed(pod, slot, failure);
          }
        });
  }

  private void started(PodState pod, ContainerSlot slot, ContainerRecord record) {
    listener.started(pod.view(), record);
    pod.observe(record);
    events.normal(pod, slot, PodEvents.CREATED, "Container created");
    events.normal(pod, slot, PodEvents.STARTED, "Container started");
  }

  private void startFailed(PodState pod, ContainerSlot slot, @Nullable Throwable failure) {
    if (failure != null && calls.refused(pod, failure)) {
      slot.start(slot.start().over());
      return;
    }
    String message = failure == null ? "the runtime named no instance" : text(failure);
    String reason =
        failure == null
            ? WaitReasons.RUN_CONTAINER_ERROR
            : reason(failure, WaitReasons.RUN_CONTAINER_ERROR);
    slot.startFailed(reason, message, calls.retryAt());
    events.warning(pod, slot, PodEvents.FAILED, "Error: " + message);
    pod.changed();
  }

  private void backOffRestart(PodState pod, ContainerSlot slot) {
    slot.backOffs().reporting(slot.nextAttempt());
    events.warning(
        pod,
        slot,
        PodEvents.BACK_OFF,
        "Back-off restarting failed container "
            + slot.name()
            + " in pod "
            + PodEvents.describe(pod.view()));
  }

  private void showBackOff(PodState pod, ContainerSlot slot) {
    String whose = PodEvents.describe(pod.view());
    String pause = GoDuration.format(Duration.ofMillis(slot.backOffs().restartStep()));
    slot.wait(
        WaitReasons.CRASH_LOOP_BACK_OFF,
        "back-off " + pause + " restarting failed container=" + slot.name() + " pod=" + whose);
    pod.changed();
  }

  private void announce(PodState pod, ContainerSlot slot) {
    slot.stop(slot.stop().withAnnouncement());
    tellKilling(pod, slot, StopCause.POD_ENDS);
    hooks.announce(pod, slot);
  }

  private void tellKilling(PodState pod, ContainerSlot slot, StopCause cause) {
    if (events.enabled()) {
      events.normal(pod, slot, PodEvents.KILLING, killing(pod, slot, cause));
    }
  }

  private void tellUnsafe(PodState pod, ContainerSlot slot) {
    String message =
        "Container "
            + slot.name()
            + " is replaced in a pod that does not always restart it: once the new image has"
            + " ended, or cannot be started, the pod may be over";
    events.warning(pod, slot, PodEvents.IN_PLACE_UPDATE_UNSAFE, message);
  }

  void stop(PodState pod, PodAction.StopContainer stop) {
    ContainerSlot slot = stop.slot();
    ContainerRecord record = slot.current();
    if (record == null) {
      return;
    }
    if (slot.stop().deadline() == 0 && !slot.stop().announced()) {
      tellKilling(pod, slot, stop.cause());
      if (stop.cause() == StopCause.REDEFINED
          && !RestartRules.always(pod.view().spec(), slot.view())) {
        tellUnsafe(pod, slot);
      }
    }
    slot.stop(slot.stop().requested(calls.now() + stop.graceMillis(), stop.cause()));
    if (!stop.cause().runsHook() || !hooks.preStop(pod, slot)) {
      stopNow(pod, slot, record, stop.graceMillis());
    }
  }

  /** Stops the container in the time left after its preStop hook. */
  void stopNow(PodState pod, ContainerSlot slot) {
    ContainerRecord record = slot.current();
    if (record != null && slot.running()) {
      long left = Math.max(SlotHooks.LEAST_AFTER, slot.stop().deadline() - calls.now());
      slot.stop(slot.stop().until(calls.now() + left));
      stopNow(pod, slot, record, left);
    }
  }

  private void stopNow(PodState pod, ContainerSlot slot, ContainerRecord record, long graceMillis) {
    calls.call(
        pod,
        RuntimeOperation.STOP_CONTAINER,
        () -> runtime.stopContainer(pod.view().ref(), record.id(), Duration.ofMillis(graceMillis)),
        (nothing, failure) -> {
          ContainerRecord newest = slot.current();
          if (newest == null || !newest.id().equals(record.id()) || !newest.running()) {
            return;
          }
          if (failure == null || RuntimeCalls.unknownToRuntime(failure)) {
            // the container is gone and its end was never reported
            slot.vanished(calls.instant());
            pod.changed();
          } else {
            stopFailed(pod, slot, failure);
          }
        });
  }

  private static String killing(PodState pod, ContainerSlot slot, StopCause cause) {
    String what = (slot.sidecar() ? "Init container " : "Container ") + slot.name();
    return switch (cause) {
      case POD_ENDS -> "Stopping container " + slot.name();
      case REDEFINED -> what + " definition changed, will be restarted";
      case RESIZED -> "Container " + slot.name() + " resize requires restart";
      case POST_START -> "FailedPostStartHook";
      case RESTART_OF_ALL -> "killing";
      case LIVENESS -> probeFailed(pod, slot, what + " failed liveness probe");
      case STARTUP -> probeFailed(pod, slot, what + " failed startup probe");
    };
  }

  private static String probeFailed(PodState pod, ContainerSlot slot, String what) {
    if (!slot.sidecar() && RestartRules.possible(pod.view().spec(), slot.view())) {
      return what + ", will be restarted";
    }
    return endsPod(pod, slot) ? killing(pod, slot, StopCause.POD_ENDS) : what;
  }

  /** Whether the pod ends, as no other regular container stays or starts; a kubelet says so. */
  private static boolean endsPod(PodState pod, ContainerSlot slot) {
    for (ContainerSlot other : pod.regular()) {
      boolean stays =
          other.running()
              || other.start().inFlight()
              || RestartRules.wantsStart(other, pod.view().spec());
      if (other != slot && stays) {
        return false;
      }
    }
    return !slot.sidecar();
  }

  private void stopFailed(PodState pod, ContainerSlot slot, Throwable failure) {
    slot.stopFailed(calls.retryAt());
    calls.killFailed(pod, failure);
  }
}
