package dev.vertlet.bus;

/**
 * The node's Lease was renewed, but not with a later {@code renewTime} than before: the machine's
 * clock was set back. The node controller ignores such a renewal; only a new heartbeat of the
 * node's status shows it that the node lives.
 */
public record LeaseBackdated(String node) implements BusMessage {}
