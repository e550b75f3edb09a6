package dev.vertlet.bus;

/**
 * The Ready condition of a node as the API server now holds it.
 *
 * @param ready whether Ready is True
 * @param message why it is not; empty if it is, and before it was written
 */
public record NodeStatusChanged(String node, boolean ready, String message) implements BusMessage {}
