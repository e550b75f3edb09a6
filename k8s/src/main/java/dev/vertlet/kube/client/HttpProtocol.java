package dev.vertlet.kube.client;

/** How requests share connections. */
public enum HttpProtocol {
  /**
   * Many requests on one connection: by ALPN over TLS, with prior knowledge on plain {@code http}.
   * Falls back to HTTP/1.1 if the server or a proxy supports nothing else.
   */
  HTTP_2,
  /** One request at a time per connection, on a pool of connections. */
  HTTP_1_1
}
