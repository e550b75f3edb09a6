package dev.vertlet.bus;

/** The configuration of a node has changed: receivers with a copy of parts of it read it again. */
public record NodeConfigured(String node) implements BusMessage {}
