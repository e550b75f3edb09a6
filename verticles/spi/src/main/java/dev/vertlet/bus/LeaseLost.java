package dev.vertlet.bus;

/**
 * This agent no longer serves the node and must not write to its objects.
 *
 * @param reason for people
 */
public record LeaseLost(String node, String reason) implements BusMessage {}
