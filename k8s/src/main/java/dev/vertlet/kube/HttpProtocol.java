package dev.vertlet.kube;

/** How requests share connections. */
public enum HttpProtocol {
  /**
   * Many requests on one connection: by ALPN over TLS, with prior knowledge on plain {@code http}.
   * A server or proxy that only speaks HTTP/1.1 is noticed and served that way.
   */
  HTTP_2,
  /** One request at a time per connection, on a pool of connections. */
  HTTP_1_1
}
