package dev.vertlet.bus;

/** A Node object of somebody else's is to be served from now on, or one of its name again. */
public record NodeAdopted(String node) implements BusMessage {}
