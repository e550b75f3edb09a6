package dev.vertlet.bus;

/**
 * This agent holds the node's Lease, where it has one, and serves the node from now on.
 *
 * @param term grows whenever somebody else may have served the node in between; 0 when nobody else
 *     can have since this agent started
 */
public record LeaseAcquired(String node, int term) implements BusMessage {}
