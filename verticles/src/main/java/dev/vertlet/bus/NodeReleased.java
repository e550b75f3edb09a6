package dev.vertlet.bus;

/**
 * A node that was adopted is this agent's no longer: its object is gone, or is not selected any
 * more. Whoever keeps something of it forgets that; none of its pods is ended.
 */
public record NodeReleased(String node) implements BusMessage {}
