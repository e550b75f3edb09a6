package dev.vertlet.server;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/** Writes metrics as Prometheus reads them. */
public final class Scrape {
  /** Version of Prometheus' text format that {@link #of} writes. */
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private Scrape() {}

  /**
   * Returns all metrics as text; empty for a registry without Prometheus support. Takes
   * milliseconds with thousands of metrics: not for event loops.
   */
  public static String of(MeterRegistry registry) {
    return registry instanceof PrometheusMeterRegistry prometheus
        ? prometheus.scrape(CONTENT_TYPE)
        : "";
  }
}
