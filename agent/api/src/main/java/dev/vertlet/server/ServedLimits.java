package dev.vertlet.server;

import dev.vertlet.http.ConnectionLimits;

/**
 * Limits of the agent's HTTP servers, which docs/security.md lists. A share is a part of the
 * maximum heap size, for example 4 for a quarter.
 */
public enum ServedLimits {
  /** The kubelet API; its connections and header length are configurable. */
  KUBELET(0, 4, 0),

  /** The read-only kubelet API, with the same configurable limits. */
  READ_ONLY(0, 16, 0),

  /** Health, metrics and page. */
  HEALTH(1_024, 16, 16 << 10),

  /** The loopback healthz server, for probes and other programs of this machine. */
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

  /** Returns the limits of a server without configurable ones. */
  public ConnectionLimits limits() {
    return limits(connections, headerBytes);
  }

  /**
   * Returns the limits of a server with configurable ones.
   *
   * @param most open connections
   * @param longest longest request header in bytes
   */
  public ConnectionLimits limits(int most, int longest) {
    return ConnectionLimits.of(most, share, longest);
  }
}
