package dev.vertlet.harness.result.servicelevel;

/**
 * Service levels of a run, and what its control plane went through.
 *
 * @param levels judged by all that was measured
 * @param plane what the control plane told of itself
 */
public record ControlPlaneResult(ServiceLevels levels, ControlPlaneRecord plane) {}
