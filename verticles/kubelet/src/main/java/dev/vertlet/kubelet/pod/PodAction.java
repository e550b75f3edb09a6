package dev.vertlet.kubelet.pod;

import dev.vertlet.kubelet.container.ContainerSlot;
import dev.vertlet.kubelet.container.ProbeState;
import dev.vertlet.kubelet.container.StopCause;
import dev.vertlet.model.container.ResourcesView;

/** One action on a pod. The pod's state remembers what is in flight. */
public sealed interface PodAction {
  /**
   * Whether the action changes nothing in the runtime, so that a list asked for before it is not
   * out of date.
   */
  default boolean looksOnly() {
    return false;
  }

  /** Makes the sandbox with its addresses. */
  record RunSandbox(int attempt) implements PodAction {}

  /** Reports that the pod has to wait for the network of its node. */
  record AwaitNetwork() implements PodAction {}

  /** Asks the runtime whether the node has the container's image. */
  record InspectImage(ContainerSlot slot) implements PodAction {}

  record PullImage(ContainerSlot slot) implements PodAction {}

  /** Gives up on an image that cannot be used: nothing is pulled. */
  record RefuseImage(ContainerSlot slot, String reason, String event, String message)
      implements PodAction {}

  record StartContainer(ContainerSlot slot, int attempt, String imageId) implements PodAction {}

  /** Reports that a restart has to wait. */
  record BackOffRestart(ContainerSlot slot) implements PodAction {}

  /** Shows that a restart waits, instead of how the last instance ended. */
  record ShowBackOff(ContainerSlot slot) implements PodAction {}

  /** Shows that a pull has to wait. */
  record BackOffPull(ContainerSlot slot) implements PodAction {}

  record StopContainer(ContainerSlot slot, long graceMillis, StopCause cause)
      implements PodAction {}

  /**
   * Changes the resources of a running container.
   *
   * @param next its new resources
   */
  record UpdateResources(ContainerSlot slot, ResourcesView next) implements PodAction {}

  /** Gives up an update of resources that the runtime has not answered in time. */
  record GiveUpUpdate() implements PodAction {
    @Override
    public boolean looksOnly() {
      return true;
    }
  }

  /** Completes a resize: all containers have what they were granted. */
  record CompleteResize() implements PodAction {}

  /** Announces its end to a sidecar, which waits for other containers, and begins its hook. */
  record AnnounceStop(ContainerSlot slot) implements PodAction {}

  record Probe(ContainerSlot slot, ProbeState probe) implements PodAction {
    @Override
    public boolean looksOnly() {
      return true;
    }
  }

  record PostStart(ContainerSlot slot) implements PodAction {}

  /** Ends the hook under way, finished or given up. */
  record EndHook(ContainerSlot slot) implements PodAction {}

  /** Gives up a probe in flight that has no answer in time. */
  record GiveUpProbe(ContainerSlot slot, ProbeState probe) implements PodAction {
    @Override
    public boolean looksOnly() {
      return true;
    }
  }

  /** Fails the pod for a reason of its own, such as its deadline. */
  record FailPod(String reason, String message) implements PodAction {}

  /** Reads the end of the log of a failed container that left no message. */
  record ReadMessage(ContainerSlot slot) implements PodAction {
    @Override
    public boolean looksOnly() {
      return true;
    }
  }

  /** Gives up logs that were not read in time. */
  record GiveUpMessages() implements PodAction {
    @Override
    public boolean looksOnly() {
      return true;
    }
  }

  /** Begins the restart of all containers after an exit: they have to end first. */
  record RestartAll() implements PodAction {}

  /** Resets all containers after their ends, so that they start as if they had never run. */
  record ResetContainers() implements PodAction {}

  /** Ends a pod with nothing left to run: stops sidecars, then removes the sandbox. */
  record CompletePod() implements PodAction {}

  /** Removes the sandbox; the pod is finished when that has succeeded. */
  record RemoveSandbox() implements PodAction {}
}
