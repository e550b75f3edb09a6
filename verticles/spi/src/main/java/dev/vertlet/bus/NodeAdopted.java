package dev.vertlet.bus;

/**
 * A Node object created by another client is to be served from now on, or a new one of the same
 * name.
 */
public record NodeAdopted(String node) implements BusMessage {}
