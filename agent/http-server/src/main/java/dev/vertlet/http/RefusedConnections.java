package dev.vertlet.http;

/** Notified of connections that a server closes before admission, on its event loop. */
@FunctionalInterface
public interface RefusedConnections {
  /**
   * @param client its address, or the /64 network of an IPv6 address
   */
  void closed(CloseReason reason, String client);
}
