package dev.vertlet.bus;

import dev.vertlet.model.pod.PodView;

/** The watch saw a new or changed pod on one of this agent's nodes. */
public record PodObserved(PodView pod) implements BusMessage {}
