package dev.vertlet.bus;

/**
 * An adopted node no longer belongs to this agent: its object is gone, or is not selected any more.
 * Receivers forget their state of it; none of its pods is ended.
 */
public record NodeReleased(String node) implements BusMessage {}
