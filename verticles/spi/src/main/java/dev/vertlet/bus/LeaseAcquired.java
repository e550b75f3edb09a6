package dev.vertlet.bus;

/**
 * This agent holds the node's Lease, if it has one, and serves the node from now on.
 *
 * @param term increases whenever another agent may have served the node in between; 0 if no other
 *     agent can have served it since this agent started
 */
public record LeaseAcquired(String node, int term) implements BusMessage {}
