package dev.vertlet.http;

import java.time.Duration;

/**
 * Limits for the clients of one server; its listeners share them.
 *
 * @param connections most open connections, handshakes included; one unadmitted client may have
 *     half of them
 * @param unadmittedBytes most bytes that connections and requests hold together before admission;
 *     each counts {@link #CONNECTION}, {@link #TLS}, {@link #HTTP2} and {@link #REQUEST} bytes
 *     besides the bytes its client has sent
 * @param headerBytes longest request line and longest header in bytes
 * @param streams most concurrent streams of an HTTP/2 connection
 * @param resets most streams of a connection that its client may reset within 30 s
 * @param head time limit for the header of a request, from the start of the connection, the end of
 *     its handshake, or the first byte of that header
 * @param idle time that a connection may stay open between two requests
 * @param admission time limit for a request's admission, or for reading its rejection
 */
public record ConnectionLimits(
    int connections,
    long unadmittedBytes,
    int headerBytes,
    int streams,
    int resets,
    Duration head,
    Duration idle,
    Duration admission) {

  // What each was seen to hold of heap and direct memory, rounded up: UnadmittedClientsIT.

  /** Bytes that a connection counts. */
  static final int CONNECTION = 16 << 10;

  /** Bytes that TLS adds to a connection. */
  static final int TLS = 48 << 10;

  /** Bytes that HTTP/2 adds to a connection. */
  static final int HTTP2 = 32 << 10;

  /** Bytes that a request counts. */
  static final int REQUEST = 4 << 10;

  /** Bytes that each header field counts besides its length. */
  static final int FIELD = 192;

  /** The stream limit of Go's servers. */
  private static final int STREAMS = 250;

  /**
   * 10 × 250 streams = 2500 in 30 s: a client may cancel all streams of a connection every 3 s,
   * where the default of 200 would close it at the first time. A reset flood has thousands per
   * second.
   */
  private static final int RESETS = 10 * STREAMS;

  /** The limit of Kubernetes' Go servers: a kubelet closes an idle connection after 90 s. */
  private static final Duration IDLE = Duration.ofSeconds(90);

  /** The limit of a TLS handshake, for which Go's servers allow 10 s, too. */
  private static final Duration HEAD = Duration.ofSeconds(10);

  /** Longer than a TokenReview with retries. */
  private static final Duration ADMISSION = Duration.ofSeconds(30);

  public ConnectionLimits {
    if (connections < 1 || unadmittedBytes < 1 || headerBytes < 1 || streams < 1 || resets < 1) {
      throw new IllegalArgumentException("limits must be positive");
    }
  }

  /**
   * Creates limits with a kubelet's timeouts and a share of this process's memory.
   *
   * @param share part of the maximum heap size, for example 8 for an eighth
   */
  public static ConnectionLimits of(int connections, int share, int headerBytes) {
    long bytes = Runtime.getRuntime().maxMemory() / share;
    return new ConnectionLimits(
        connections, bytes, headerBytes, STREAMS, RESETS, HEAD, IDLE, ADMISSION);
  }

  /** Returns a copy with other HTTP/2 stream limits. */
  public ConnectionLimits withStreams(int streams, int resets) {
    return new ConnectionLimits(
        connections, unadmittedBytes, headerBytes, streams, resets, head, idle, admission);
  }
}
