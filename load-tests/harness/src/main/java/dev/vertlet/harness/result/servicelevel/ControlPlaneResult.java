package dev.vertlet.harness.result.servicelevel;

/**
 * Service levels of a run, and what its control plane went through.
 *
 * @param levels judged by all that was measured
 * @param plane the control plane's own measurements
 */
public record ControlPlaneResult(ServiceLevels levels, ControlPlaneRecord plane) {}
