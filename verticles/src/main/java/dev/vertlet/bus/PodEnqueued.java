package dev.vertlet.bus;

import dev.vertlet.model.PodRef;

/** Somebody wants what is to be done about a pod to be done now, not when its next try is due. */
public record PodEnqueued(PodRef pod) implements BusMessage {}
