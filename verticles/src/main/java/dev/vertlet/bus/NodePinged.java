package dev.vertlet.bus;

/**
 * Result of a provider's ping, sent when it changes. While {@code ok} is false the node's lease is
 * not renewed.
 *
 * @param message why the ping failed, empty when {@code ok}
 */
public record NodePinged(String node, boolean ok, String message) implements BusMessage {}
