package dev.vertlet.provider;

import dev.vertlet.model.PodRef;

/**
 * One container, as somebody wants to look into it.
 *
 * @param node the pod is bound to
 * @param container its name: of an init, regular or ephemeral container
 * @param containerId of the instance that is meant, as the runtime named it; empty for a provider
 *     of whole pods, which knows its instances itself
 */
public record ContainerTarget(PodRef pod, String node, String container, String containerId) {
  /** The same container, one instance of it. */
  public ContainerTarget instance(String id) {
    return new ContainerTarget(pod, node, container, id);
  }
}
