package dev.vertlet.api;

import dev.vertlet.server.ServerSettings;

/**
 * Limits of requests.
 *
 * @param bodyBytes longest body of a request without an upgrade
 * @param requests requests in flight on all listeners together
 */
record ServerLimits(long bodyBytes, int requests) {
  /** Returns the configured limits; no endpoint needs a request body. */
  static ServerLimits of(ServerSettings config) {
    return new ServerLimits(64 << 10, config.maxRequests());
  }
}
