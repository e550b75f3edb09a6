package dev.vertlet.harness.result.servicelevel;

/**
 * Latencies of one kind of request in milliseconds.
 *
 * @param count number of answered requests, at least 1
 */
public record RequestLatency(
    RequestKind kind, Source source, long count, double p50, double p90, double p99) {}
