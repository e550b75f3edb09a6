package dev.vertlet.bus;

/** The Node object exists with this UID, which the lease's owner reference names. */
public record NodeRegistered(String node, String uid) implements BusMessage {}
