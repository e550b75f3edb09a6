package dev.vertlet.bus;

/**
 * The Ready condition of a node as the API server now holds it.
 *
 * @param ready whether Ready is True
 */
public record NodeStatusChanged(String node, boolean ready) implements BusMessage {}
