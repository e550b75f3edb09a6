package dev.vertlet.bus;

import dev.vertlet.model.PodRef;

/** The API server holds the pod no longer, or no longer on one of this agent's nodes. */
public record PodGone(PodRef pod) implements BusMessage {}
