package dev.vertlet.bus;

/** The watch of own nodes saw the object leave: deleted, or its label removed. */
public record NodeGone(String node, String uid) implements BusMessage {}
