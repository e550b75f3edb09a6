package dev.vertlet.bus;

/** All nodes that are to be adopted now have been published; others may follow. */
public record NodesListed() implements BusMessage {}
