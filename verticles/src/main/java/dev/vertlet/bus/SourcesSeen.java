package dev.vertlet.bus;

/**
 * Every source of manifests of this node has reported once: a pod that none of them holds is
 * unknown.
 */
public record SourcesSeen(String node) implements BusMessage {}
