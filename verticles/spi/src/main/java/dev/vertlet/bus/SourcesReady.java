package dev.vertlet.bus;

/**
 * Every source of manifests of this node has reported once: a pod that none of them holds is
 * unknown.
 */
public record SourcesReady(String node) implements BusMessage {}
