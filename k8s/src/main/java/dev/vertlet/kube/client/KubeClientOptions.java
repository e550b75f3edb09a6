package dev.vertlet.kube.client;

import dev.vertlet.kube.access.TlsEngine;
import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.local.SynchronizationStrategy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Connection settings of a {@link KubeClient}. Immutable; start from {@link #defaults()}.
 *
 * @param protobuf false to watch and list in JSON alone
 * @param userAgent as the API server's audit log and managedFields show it
 */
public record KubeClientOptions(
    HttpProtocol protocol,
    TlsEngine tls,
    Windows windows,
    Timeouts timeouts,
    Cap cap,
    boolean protobuf,
    String userAgent) {
  /**
   * Most requests in flight, 1 to 1000 each. API servers allow 100 streams per connection; 64 leave
   * room for a retried request.
   *
   * @param main on the main connection
   * @param lease on the connection of {@link dev.vertlet.kube.Lane#LEASE}
   * @param http1 connections per pool with {@link HttpProtocol#HTTP_1_1}
   */
  public record Windows(int main, int lease, int http1) {
    public Windows {
      requireRange("window", main);
      requireRange("leaseWindow", lease);
      requireRange("http1Connections", http1);
    }

    private static void requireRange(String key, int value) {
      if (value < 1 || value > 1000) {
        throw new IllegalArgumentException(key + " must be between 1 and 1000, got " + value);
      }
    }
  }

  /**
   * Time limits.
   *
   * @param request of a unary request, from leaving its lane to the last byte of the answer
   * @param connect until TCP, TLS and HTTP/2 settings are exchanged
   * @param ping between HTTP/2 keep-alive pings; an unanswered ping closes the connection after the
   *     same time again, so a half-open connection lives at most twice this long
   */
  public record Timeouts(Duration request, Duration connect, Duration ping) {
    public Timeouts {
      requirePositive("requestTimeout", request);
      requirePositive("connectTimeout", connect);
      requirePositive("pingInterval", ping);
    }

    private static void requirePositive(String key, Duration value) {
      if (value.isNegative() || value.isZero()) {
        throw new IllegalArgumentException(key + " must be above 0, got " + value);
      }
    }
  }

  /**
   * Rate limit.
   *
   * @param qps unary requests per second outside {@link dev.vertlet.kube.Lane#LEASE}; 0 for no cap
   * @param burst requests that may leave at once under the cap, at least 1
   */
  public record Cap(double qps, int burst) {
    public Cap {
      if (!(qps >= 0 && qps <= 1_000_000)) {
        throw new IllegalArgumentException(
            "kubeAPIQPS must be between 0 (no cap) and 1000000, got " + qps);
      }
      if (burst < 1) {
        throw new IllegalArgumentException("kubeAPIBurst must be at least 1, got " + burst);
      }
    }

    /** Creates a bucket for one event loop; null without a cap. */
    @Nullable Bucket bucket() {
      if (qps <= 0) {
        return null;
      }
      long nanosPerToken = Math.max(1, (long) (1_000_000_000L / qps));
      return Bucket.builder()
          .addLimit(
              Bandwidth.builder()
                  .capacity(burst)
                  .refillGreedy(1, Duration.ofNanos(nanosPerToken))
                  .build())
          .withNanosecondPrecision()
          .withSynchronizationStrategy(SynchronizationStrategy.NONE)
          .build();
    }
  }

  /** 2 × 12 s = 24 s: a half-open connection is detected before a 40 s lease expires. */
  private static final Duration DEFAULT_PING = Duration.ofSeconds(12);

  /** HTTP/2, BoringSSL where available, 64 in flight, 30 s per request, no cap. */
  public static KubeClientOptions defaults() {
    return new KubeClientOptions(
        HttpProtocol.HTTP_2,
        TlsEngine.AUTO,
        new Windows(64, 64, 64),
        new Timeouts(Duration.ofSeconds(30), Duration.ofSeconds(10), DEFAULT_PING),
        new Cap(0, 100),
        true,
        "vertlet");
  }

  public KubeClientOptions withProtocol(HttpProtocol value) {
    return new KubeClientOptions(value, tls, windows, timeouts, cap, protobuf, userAgent);
  }

  public KubeClientOptions withTls(TlsEngine value) {
    return new KubeClientOptions(protocol, value, windows, timeouts, cap, protobuf, userAgent);
  }

  /** Sets the same limit for the main connection, the lease connection and HTTP/1.1 pools. */
  public KubeClientOptions withWindow(int value) {
    Windows same = new Windows(value, value, value);
    return new KubeClientOptions(protocol, tls, same, timeouts, cap, protobuf, userAgent);
  }

  public KubeClientOptions withTimeouts(Duration request, Duration connect, Duration ping) {
    Timeouts others = new Timeouts(request, connect, ping);
    return new KubeClientOptions(protocol, tls, windows, others, cap, protobuf, userAgent);
  }

  /**
   * Sets the rate limit.
   *
   * @param qps requests per second, 0 for no cap
   */
  public KubeClientOptions withCap(double qps, int burst) {
    Cap other = new Cap(qps, burst);
    return new KubeClientOptions(protocol, tls, windows, timeouts, other, protobuf, userAgent);
  }
}
