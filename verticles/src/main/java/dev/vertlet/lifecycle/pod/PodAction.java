package dev.vertlet.lifecycle.pod;

import dev.vertlet.lifecycle.container.ContainerSlot;
import dev.vertlet.lifecycle.container.ProbeState;
import dev.vertlet.lifecycle.container.StopCause;
import dev.vertlet.model.ResourcesView;

/** One thing to do for a pod. What is in flight is remembered in the pod's state. */
public sealed interface PodAction {
  /**
   * Whether it changes nothing in the runtime, so that a list asked for before is not out of date.
   */
  default boolean looksOnly() {
    return false;
  }

  /** Makes the sandbox with its addresses. */
  record RunSandbox(int attempt) implements PodAction {}

  /** Tells that the pod has to wait for the network of its node. */
  record AwaitNetwork() implements PodAction {}

  /** Asks whether the node has the container's image. */
  record InspectImage(ContainerSlot slot) implements PodAction {}

  record PullImage(ContainerSlot slot) implements PodAction {}

  /** The image cannot be used: nothing is pulled. */
  record RefuseImage(ContainerSlot slot, String reason, String event, String message)
      implements PodAction {}

  record StartContainer(ContainerSlot slot, int attempt, String imageId) implements PodAction {}

  /** Tells that a restart has to wait. */
  record BackOffRestart(ContainerSlot slot) implements PodAction {}

  /** Shows that a restart waits, no longer how the last instance ended. */
  record ShowBackOff(ContainerSlot slot) implements PodAction {}

  /** Shows that a pull has to wait. */
  record BackOffPull(ContainerSlot slot) implements PodAction {}

  record StopContainer(ContainerSlot slot, long graceMillis, StopCause cause)
      implements PodAction {}

  /**
   * Gives a running container other resources.
   *
   * @param next what it has from then on
   */
  record UpdateResources(ContainerSlot slot, ResourcesView next) implements PodAction {}

  /** The runtime has not answered an update of resources in time. */
  record GiveUpUpdate() implements PodAction {
    @Override
    public boolean looksOnly() {
      return true;
    }
  }

  /** All containers have what they were granted. */
  record CompleteResize() implements PodAction {}

  /** Tells that a sidecar will end when its turn comes, and begins its hook. */
  record AnnounceStop(ContainerSlot slot) implements PodAction {}

  record Probe(ContainerSlot slot, ProbeState probe) implements PodAction {
    @Override
    public boolean looksOnly() {
      return true;
    }
  }

  record PostStart(ContainerSlot slot) implements PodAction {}

  /** The hook under way is over, or not waited for any longer. */
  record EndHook(ContainerSlot slot) implements PodAction {}

  /** The probe in flight has no answer in time. */
  record GiveUpProbe(ContainerSlot slot, ProbeState probe) implements PodAction {
    @Override
    public boolean looksOnly() {
      return true;
    }
  }

  /** Ends the pod because of itself: it becomes Failed. */
  record FailPod(String reason, String message) implements PodAction {}

  /** The container failed and left no message: the end of its log is one. */
  record ReadMessage(ContainerSlot slot) implements PodAction {
    @Override
    public boolean looksOnly() {
      return true;
    }
  }

  /** A log was not read in time. */
  record GiveUpMessages() implements PodAction {
    @Override
    public boolean looksOnly() {
      return true;
    }
  }

  /** An exit has all containers of the pod start anew: they have to end first. */
  record RestartAll() implements PodAction {}

  /** All containers have ended, and start anew as if they had never run. */
  record ResetContainers() implements PodAction {}

  /** Nothing is left to run: stop what helped, then release. */
  record CompletePod() implements PodAction {}

  /** Frees the sandbox; the pod is finished when that succeeded. */
  record RemoveSandbox() implements PodAction {}
}
