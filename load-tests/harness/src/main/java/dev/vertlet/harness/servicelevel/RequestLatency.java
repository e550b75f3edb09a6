package dev.vertlet.harness.servicelevel;

/**
 * Latencies of one kind of request in milliseconds.
 *
 * @param count number of answered requests, at least 1
 */
public record RequestLatency(
    RequestKind kind, Source source, long count, double p50, double p90, double p99) {
  private static final double MILLIS_PER_SECOND = 1_000;

  /** Percentiles of a histogram of seconds. */
  static RequestLatency of(RequestKind kind, Source source, Histogram seconds) {
    return new RequestLatency(
        kind,
        source,
        Math.round(seconds.count()),
        seconds.quantile(0.5) * MILLIS_PER_SECOND,
        seconds.quantile(0.9) * MILLIS_PER_SECOND,
        seconds.quantile(0.99) * MILLIS_PER_SECOND);
  }
}
