package dev.vertlet.bus;

/** What a node is configured by has changed: whoever was given it in parts reads it anew. */
public record NodeConfigured(String node) implements BusMessage {}
