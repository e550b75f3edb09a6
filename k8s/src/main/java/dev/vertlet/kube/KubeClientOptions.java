package dev.vertlet.kube;

import java.time.Duration;

/**
 * Connection settings of a {@link KubeClient}. Immutable; start from {@link #defaults()}.
 *
 * @param window requests in flight on the main connection, 1 to 1000
 * @param leaseWindow requests in flight on the connection of {@link Lane#LEASE}, 1 to 1000
 * @param http1Connections connections per pool with {@link HttpProtocol#HTTP_1_1}, 1 to 1000
 * @param requestTimeout of a unary request, from leaving its lane to the last byte of the answer
 * @param connectTimeout until TCP, TLS and HTTP/2 settings are exchanged
 * @param pingInterval between HTTP/2 keep-alive pings; an unanswered ping closes the connection
 *     after the same time again, so a half-open connection lives at most twice this long
 * @param kubeApiQps unary requests per second outside {@link Lane#LEASE}; 0 for no cap
 * @param kubeApiBurst requests that may leave at once under the cap, at least 1
 * @param protobuf false to watch and list in JSON alone
 * @param userAgent as the API server's audit log and managedFields show it
 */
public record KubeClientOptions(
    HttpProtocol protocol,
    TlsEngine tls,
    int window,
    int leaseWindow,
    int http1Connections,
    Duration requestTimeout,
    Duration connectTimeout,
    Duration pingInterval,
    double kubeApiQps,
    int kubeApiBurst,
    boolean protobuf,
    String userAgent) {
  /** API servers allow 100 streams per connection; 64 leave room for a retried request. */
  private static final int DEFAULT_WINDOW = 64;

  /** 2 × 12 s = 24 s: a half-open connection is detected before a 40 s lease expires. */
  private static final Duration DEFAULT_PING_INTERVAL = Duration.ofSeconds(12);

  public KubeClientOptions {
    requireRange("window", window);
    requireRange("leaseWindow", leaseWindow);
    requireRange("http1Connections", http1Connections);
    requirePositive("requestTimeout", requestTimeout);
    requirePositive("connectTimeout", connectTimeout);
    requirePositive("pingInterval", pingInterval);
    if (!(kubeApiQps >= 0 && kubeApiQps <= 1_000_000)) {
      throw new IllegalArgumentException(
          "kubeAPIQPS must be between 0 (no cap) and 1000000, got " + kubeApiQps);
    }
    if (kubeApiBurst < 1) {
      throw new IllegalArgumentException("kubeAPIBurst must be at least 1, got " + kubeApiBurst);
    }
  }

  /** HTTP/2, BoringSSL where available, 64 in flight, 30 s per request, no cap. */
  public static KubeClientOptions defaults() {
    return new KubeClientOptions(
        HttpProtocol.HTTP_2,
        TlsEngine.AUTO,
        DEFAULT_WINDOW,
        DEFAULT_WINDOW,
        DEFAULT_WINDOW,
        Duration.ofSeconds(30),
        Duration.ofSeconds(10),
        DEFAULT_PING_INTERVAL,
        0,
        100,
        true,
        "vertlet");
  }

  public KubeClientOptions withProtocol(HttpProtocol value) {
    return new KubeClientOptions(
        value,
        tls,
        window,
        leaseWindow,
        http1Connections,
        requestTimeout,
        connectTimeout,
        pingInterval,
        kubeApiQps,
        kubeApiBurst,
        protobuf,
        userAgent);
  }

  public KubeClientOptions withTls(TlsEngine value) {
    return new KubeClientOptions(
        protocol,
        value,
        window,
        leaseWindow,
        http1Connections,
        requestTimeout,
        connectTimeout,
        pingInterval,
        kubeApiQps,
        kubeApiBurst,
        protobuf,
        userAgent);
  }

  /** Sets the same limit for the main connection, the lease connection and HTTP/1.1 pools. */
  public KubeClientOptions withWindow(int value) {
    return new KubeClientOptions(
        protocol,
        tls,
        value,
        value,
        value,
        requestTimeout,
        connectTimeout,
        pingInterval,
        kubeApiQps,
        kubeApiBurst,
        protobuf,
        userAgent);
  }

  public KubeClientOptions withTimeouts(Duration request, Duration connect, Duration ping) {
    return new KubeClientOptions(
        protocol,
        tls,
        window,
        leaseWindow,
        http1Connections,
        request,
        connect,
        ping,
        kubeApiQps,
        kubeApiBurst,
        protobuf,
        userAgent);
  }

  /**
   * Sets the rate limit.
   *
   * @param qps requests per second, 0 for no cap
   */
  public KubeClientOptions withCap(double qps, int burst) {
    return new KubeClientOptions(
        protocol,
        tls,
        window,
        leaseWindow,
        http1Connections,
        requestTimeout,
        connectTimeout,
        pingInterval,
        qps,
        burst,
        protobuf,
        userAgent);
  }

  private static void requireRange(String key, int value) {
    if (value < 1 || value > 1000) {
      throw new IllegalArgumentException(key + " must be between 1 and 1000, got " + value);
    }
  }

  private static void requirePositive(String key, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(key + " must be above 0, got " + value);
    }
  }
}
