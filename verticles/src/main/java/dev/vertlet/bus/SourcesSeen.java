package dev.vertlet.bus;

/** Every source of manifests of this node was heard once: what none of them holds is unknown. */
public record SourcesSeen(String node) implements BusMessage {}
