package dev.vertlet.trace;

/**
 * What the scheduler reserves for a pod: requests of its containers, init containers and overhead.
 *
 * @param cpuMillis thousandths of a core
 * @param memoryBytes bytes
 */
public record PodDemand(long cpuMillis, long memoryBytes) {}
