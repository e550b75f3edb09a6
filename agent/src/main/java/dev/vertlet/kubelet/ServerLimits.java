package dev.vertlet.kubelet;

import dev.vertlet.config.ServerConfig;

/**
 * What a client may take.
 *
 * @param bodyBytes longest body of a request that is not upgraded
 * @param requests that are served at once, on all listeners together
 */
record ServerLimits(long bodyBytes, int requests) {
  /** No request that is served here needs a body. */
  static ServerLimits of(ServerConfig config) {
    return new ServerLimits(64 << 10, config.maxRequests());
  }
}
