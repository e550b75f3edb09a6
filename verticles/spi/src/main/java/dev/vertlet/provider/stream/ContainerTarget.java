package dev.vertlet.provider.stream;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView;
import org.jspecify.annotations.Nullable;

/**
 * One container that a client wants to access.
 *
 * @param node the pod is bound to
 * @param container name of an init, regular or ephemeral container
 * @param containerId of the instance, as the runtime named it; empty for a provider of whole pods,
 *     which knows its instances itself
 * @param facts the kubelet core's knowledge of that instance; null for a provider of whole pods
 */
public record ContainerTarget(
    PodRef pod, String node, String container, String containerId, @Nullable Facts facts) {
  /**
   * Known facts of one instance, so that a runtime need not remember ended ones: a pod that is over
   * has no sandbox any more, but its logs can still be requested.
   *
   * @param pod its current definition
   * @param state Running or Terminated, with times and exit code
   */
  public record Facts(PodView pod, ContainerStateView state) {}

  /** Names a container without an instance. */
  public ContainerTarget(PodRef pod, String node, String container, String containerId) {
    this(pod, node, container, containerId, null);
  }

  /** Returns a target for one instance of the same container. */
  public ContainerTarget instance(String id, Facts known) {
    return new ContainerTarget(pod, node, container, id, known);
  }
}
