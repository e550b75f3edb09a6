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

/** The process's metrics registry. */
public final class Metrics implements AutoCloseable {
  private static final Metric BUILD =
      Metric.gauge(
          "vertlet_build_info",
          "",
          "version of vertlet; always 1",
          "version",
          "commit",
          "java",
          "kubernetes");

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  /** Garbage collector metrics; it listens to notifications until it is closed. */
  private final JvmGcMetrics collector = new JvmGcMetrics();

  /**
   * @param version version of vertlet
   * @param commit Git commit of the build, possibly empty
   * @param kubernetes Kubernetes version that vertlet follows
   */
  public Metrics(String version, String commit, String kubernetes) {
    // in nanoseconds, an unusual unit; process_cpu_seconds_total has the same value
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
   * Enables Vert.x's worker pool metrics. Its HTTP and event bus metrics stay disabled: they cost
   * time on every request, and features count the relevant events themselves.
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
