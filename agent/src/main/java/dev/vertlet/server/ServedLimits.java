package dev.vertlet.server;

import dev.vertlet.http.ConnectionLimits;

/**
 * Limits of the agent's HTTP servers, which docs/security.md lists. A share is of the heap's
 * greatest size, for example 4 for a quarter. Pure.
 */
public enum ServedLimits {
  /** The nodes' API; connections and heads are settings. */
  KUBELET(0, 4, 0),

  /** The nodes' API to everybody; connections and heads are the same settings. */
  READ_ONLY(0, 16, 0),

  /** Health, metrics and page. */
  HEALTH(1_024, 16, 16 << 10),

  /** Loopback alone: probes of this machine, and what else runs on it. */
  HEALTHZ(256, 32, 8 << 10),

  SANDBOX(4_000, 4, 16 << 10);

  final int connections;
  final int share;
  final int headerBytes;

  ServedLimits(int connections, int share, int headerBytes) {
    this.connections = connections;
    this.share = share;
    this.headerBytes = headerBytes;
  }

  /** Limits of a server whose numbers are no settings. */
  public ConnectionLimits limits() {
    return limits(connections, headerBytes);
  }

  /**
   * Limits of a server with settings.
   *
   * @param most connections at a time
   * @param longest head of a request in bytes
   */
  public ConnectionLimits limits(int most, int longest) {
    return ConnectionLimits.of(most, share, longest);
  }
}
