package dev.vertlet.http;

/** Hears of connections that a server closes before they are admitted. On its event loop. */
@FunctionalInterface
public interface RefusedConnections {
  /**
   * @param client its address, or the network of an IPv6 address
   */
  void closed(CloseReason reason, String client);
}
