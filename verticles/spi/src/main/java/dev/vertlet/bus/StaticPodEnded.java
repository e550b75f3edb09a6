package dev.vertlet.bus;

import dev.vertlet.model.PodRef;

/** A static pod that was to end has ended: its name and its UID may be reused. */
public record StaticPodEnded(PodRef pod) implements BusMessage {}
