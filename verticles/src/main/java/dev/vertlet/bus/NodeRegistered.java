package dev.vertlet.bus;

/** The Node object exists with this UID: the lease's owner reference follows it. */
public record NodeRegistered(String node, String uid) implements BusMessage {}
