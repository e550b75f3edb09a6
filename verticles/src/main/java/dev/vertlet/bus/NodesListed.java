package dev.vertlet.bus;

/** All nodes that are to be adopted now were told; others may follow. */
public record NodesListed() implements BusMessage {}
