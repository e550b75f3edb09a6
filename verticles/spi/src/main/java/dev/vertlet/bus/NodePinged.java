package dev.vertlet.bus;

/**
 * Result of a provider's ping, published after each ping. While {@code ok} is false, or without any
 * result, the node's lease is not renewed.
 *
 * @param message why the ping failed, empty when {@code ok}
 */
public record NodePinged(String node, boolean ok, String message) implements BusMessage {}
