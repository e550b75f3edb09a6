package dev.vertlet.bus;

import dev.vertlet.model.PodRef;

/**
 * Requests that the next operation on a pod, and the next request about it, run now instead of at
 * its next retry.
 */
public record PodEnqueued(PodRef pod) implements BusMessage {}
