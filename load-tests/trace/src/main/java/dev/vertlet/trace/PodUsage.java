package dev.vertlet.trace;

/**
 * What a pod used, as metrics.k8s.io answered while it was recorded.
 *
 * @param samples number of answers that mean and maximum are made of, at least 1
 */
public record PodUsage(
    long cpuMillisMean,
    long cpuMillisMax,
    long memoryBytesMean,
    long memoryBytesMax,
    int samples) {}
