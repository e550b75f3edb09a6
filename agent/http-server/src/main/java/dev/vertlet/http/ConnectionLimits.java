package dev.vertlet.http;

import java.time.Duration;

/**
 * What the clients of one server may take. The listeners of a server share it.
 *
 * @param connections most that are open at once, handshakes included; half of them may be of one
 *     client that has not been admitted
 * @param unadmittedBytes most that connections and requests hold together before they are admitted;
 *     connections and requests count {@link #CONNECTION}, {@link #TLS}, {@link #HTTP2} and {@link
 *     #REQUEST} bytes beside what their clients have sent
 * @param headerBytes longest request line, and longest head, in bytes
 * @param streams most that an HTTP/2 connection has at a time
 * @param resets most streams of a connection that its client may reset within 30 s
 * @param head how long a connection may be without the head of a request, from its start, its
 *     handshake, or the first byte of that head on
 * @param idle how long a connection may be open between two requests
 * @param admission how long a request may wait to be admitted, or its refusal to be read
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

  /** Bytes that TLS adds to it. */
  static final int TLS = 48 << 10;

  /** Bytes that HTTP/2 adds to it. */
  static final int HTTP2 = 32 << 10;

  /** Bytes that a request counts. */
  static final int REQUEST = 4 << 10;

  /** Bytes that each field of a head adds to its length. */
  static final int FIELD = 192;

  /** As Go's servers. */
  private static final int STREAMS = 250;

  /**
   * 10 × 250 streams = 2500 in 30 s: all streams of a connection may be cancelled every 3 s, where
   * the default of 200 would end it with the first. A flood of resets has thousands a second.
   */
  private static final int RESETS = 10 * STREAMS;

  /** As Go's servers of Kubernetes: a kubelet's idle connection ends after 90 s. */
  private static final Duration IDLE = Duration.ofSeconds(90);

  /** As that of a TLS handshake, which Go's servers give 10 s, too. */
  private static final Duration HEAD = Duration.ofSeconds(10);

  /** A TokenReview that is tried again takes less. */
  private static final Duration ADMISSION = Duration.ofSeconds(30);

  public ConnectionLimits {
    if (connections < 1 || unadmittedBytes < 1 || headerBytes < 1 || streams < 1 || resets < 1) {
      throw new IllegalArgumentException("limits must be positive");
    }
  }

  /**
   * With the deadlines of a kubelet, and a share of this process' memory.
   *
   * @param share of the heap's greatest size, for example 8 for an eighth
   */
  public static ConnectionLimits of(int connections, int share, int headerBytes) {
    long bytes = Runtime.getRuntime().maxMemory() / share;
    return new ConnectionLimits(
        connections, bytes, headerBytes, STREAMS, RESETS, HEAD, IDLE, ADMISSION);
  }

  /** The same but for the streams of HTTP/2. */
  public ConnectionLimits withStreams(int streams, int resets) {
    return new ConnectionLimits(
        connections, unadmittedBytes, headerBytes, streams, resets, head, idle, admission);
  }
}
