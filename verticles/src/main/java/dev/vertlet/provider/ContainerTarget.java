package dev.vertlet.provider;

import dev.vertlet.model.ContainerStateView;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodView;
import org.jspecify.annotations.Nullable;

/**
 * One container, as somebody wants to look into it.
 *
 * @param node the pod is bound to
 * @param container its name: of an init, regular or ephemeral container
 * @param containerId of the instance that is meant, as the runtime named it; empty for a provider
 *     of whole pods, which knows its instances itself
 * @param facts what the kubelet core knows of that instance; null for a provider of whole pods
 */
public record ContainerTarget(
    PodRef pod, String node, String container, String containerId, @Nullable Facts facts) {
  /**
   * What is known of one instance, so that a runtime need not remember what it has ended: a pod
   * that is over has no sandbox any more, and its logs are still asked for.
   *
   * @param pod as it is defined now
   * @param state Running or Terminated, with times and exit code
   */
  public record Facts(PodView pod, ContainerStateView state) {}

  /** A container by its name. */
  public ContainerTarget(PodRef pod, String node, String container, String containerId) {
    this(pod, node, container, containerId, null);
  }

  /** The same container, one instance of it. */
  public ContainerTarget instance(String id, Facts known) {
    return new ContainerTarget(pod, node, container, id, known);
  }
}
