package dev.vertlet.bus;

/** This agent holds the node's Lease and serves the node from now on. */
public record LeaseAcquired(String node) implements BusMessage {}
