package dev.vertlet.metrics;

import dev.vertlet.meter.Metric;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.micrometer.MetricsDomain;
import io.vertx.micrometer.MicrometerMetricsFactory;
import io.vertx.micrometer.MicrometerMetricsOptions;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/** The process' metrics registry. */
public final class Metrics implements AutoCloseable {
  /** Version of Prometheus' text format that {@link #scrape} writes. */
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private static final Metric BUILD =
      Metric.gauge(
          "vertlet_build_info",
          "",
          "which vertlet this is; always 1",
          "version",
          "commit",
          "java",
          "kubernetes");

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  /** Listens to the collector's notifications until it is closed. */
  private final JvmGcMetrics collector = new JvmGcMetrics();

  /**
   * @param version of vertlet
   * @param commit it was built from, perhaps empty
   * @param kubernetes version it follows
   */
  public Metrics(String version, String commit, String kubernetes) {
    // in nanoseconds, which no one looks for: process_cpu_seconds_total says it
    registry.config().meterFilter(MeterFilter.denyNameStartsWith("process.cpu.time"));
    BUILD.gauge(registry, () -> 1, version, commit, Runtime.version().toString(), kubernetes);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    ProcessMeters.bindTo(registry);
    collector.bindTo(registry);
  }

  public MeterRegistry registry() {
    return registry;
  }

  /**
   * All metrics as text; empty for a registry that Prometheus cannot read. Takes milliseconds when
   * there are thousands; not for event loops.
   */
  public static String scrape(MeterRegistry registry) {
    return registry instanceof PrometheusMeterRegistry prometheus
        ? prometheus.scrape(CONTENT_TYPE)
        : "";
  }

  /**
   * Has Vert.x count its worker pools. Its HTTP and event bus metrics stay off: they cost on every
   * request, and features count what matters themselves.
   */
  public VertxBuilder instrument(VertxOptions options) {
    Set<String> disabled =
        EnumSet.complementOf(EnumSet.of(MetricsDomain.NAMED_POOLS)).stream()
            .map(MetricsDomain::toCategory)
            .collect(Collectors.toSet());
    options.setMetricsOptions(
        new MicrometerMetricsOptions().setEnabled(true).setDisabledMetricsCategories(disabled));
    return Vertx.builder().with(options).withMetrics(new MicrometerMetricsFactory(registry));
  }

  @Override
  public void close() {
    collector.close();
    registry.close();
  }
}
