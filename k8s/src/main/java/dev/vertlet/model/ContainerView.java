package dev.vertlet.model;

import org.jspecify.annotations.Nullable;

/**
 * What vertlet keeps of a container's definition.
 *
 * @param imagePullPolicy Always, IfNotPresent or Never, as the API server defaulted it
 * @param restartPolicy the container's own policy, or null where the pod's counts; an init
 *     container with {@code ALWAYS} is a sidecar
 * @param care its probes and hooks; null for a container without any
 */
public record ContainerView(
    String name,
    String image,
    String imagePullPolicy,
    @Nullable RestartPolicy restartPolicy,
    @Nullable ContainerCare care) {
  /** A container without probes and hooks. */
  public ContainerView(
      String name, String image, String imagePullPolicy, @Nullable RestartPolicy restartPolicy) {
    this(name, image, imagePullPolicy, restartPolicy, null);
  }

  /** True for an init container that keeps running beside the regular ones (KEP-753). */
  public boolean sidecar() {
    return restartPolicy == RestartPolicy.ALWAYS;
  }
}
