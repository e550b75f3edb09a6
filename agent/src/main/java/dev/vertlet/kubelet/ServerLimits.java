package dev.vertlet.kubelet;

import dev.vertlet.config.ServerConfig;

/**
 * What a client may take.
 *
 * @param headerBytes longest request line, and longest header, in bytes
 * @param bodyBytes longest body of a request that is not upgraded
 * @param requests that are served at once, on all listeners together
 * @param connections that are open at once, on all listeners together
 * @param keepAliveSeconds how long a connection may be open without a request
 */
record ServerLimits(
    int headerBytes, long bodyBytes, int requests, int connections, int keepAliveSeconds) {
  /** A kubelet's own keep-alive is 90 s; no request that is served here needs a body. */
  static ServerLimits of(ServerConfig config) {
    return new ServerLimits(
        config.maxHeaderBytes(), 64 << 10, config.maxRequests(), config.maxConnections(), 90);
  }
}
