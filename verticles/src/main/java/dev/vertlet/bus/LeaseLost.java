package dev.vertlet.bus;

/**
 * This agent serves the node no longer and must not write to its objects.
 *
 * @param reason for people
 */
public record LeaseLost(String node, String reason) implements BusMessage {}
