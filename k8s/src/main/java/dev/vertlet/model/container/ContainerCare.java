package dev.vertlet.model.container;

import org.jspecify.annotations.Nullable;

/** Probes and hooks of a container; each is null if the container has none. */
public record ContainerCare(
    @Nullable ProbeView startupProbe,
    @Nullable ProbeView livenessProbe,
    @Nullable ProbeView readinessProbe,
    @Nullable HandlerView postStart,
    @Nullable HandlerView preStop) {
  public boolean probed() {
    return startupProbe != null || livenessProbe != null || readinessProbe != null;
  }
}
