package dev.vertlet.model;

import org.jspecify.annotations.Nullable;

/**
 * What is done for a container beyond starting and stopping it: probes and hooks. Each is null
 * where the container has none.
 */
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
