package dev.vertlet.sandbox.pool;

import dev.vertlet.meter.Metric;
import dev.vertlet.sandbox.SandboxException;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** Metrics of one pool. */
final class PoolMeters {
  private static final Metric WAIT =
      Metric.histogram(
          "vertlet_sandbox_claim_wait_seconds", "seconds", "from a claim to its pod", "pool");
  private static final Metric START =
      Metric.histogram(
          "vertlet_sandbox_start_seconds",
          "seconds",
          "from a claim's write, in whole seconds, to the first sight of its running sandbox",
          "pool");
  private static final Metric PODS =
      Metric.gauge("vertlet_sandbox_pool_pods", "pods", "of the pool", "pool");
  private static final Metric READY =
      Metric.gauge("vertlet_sandbox_pool_ready", "pods", "that a claim would get at once", "pool");
  private static final Metric WAITING =
      Metric.gauge("vertlet_sandbox_pool_waiting", "claims", "that wait for a pod", "pool");
  private static final Metric CLAIMS =
      Metric.counter(
          "vertlet_sandbox_claims_total",
          "claims",
          "that ended: `success`, the refusal, or `error`",
          "pool",
          "result");
  private static final Metric STOPS =
      Metric.counter(
          "vertlet_sandbox_stops_total", "sandboxes", "that ended, by cause", "pool", "reason");

  private final MeterRegistry registry;
  private final String pool;
  private final Timer waits;
  private final Timer starts;
  private final List<Gauge> gauges = new ArrayList<>();

  PoolMeters(MeterRegistry registry, String pool) {
    this.registry = registry;
    this.pool = pool;
    this.waits = WAIT.timer(registry, pool);
    this.starts = START.timer(registry, pool);
  }

  void gauges(Supplier<Number> pods, Supplier<Number> ready, Supplier<Number> waiting) {
    gauges.add(PODS.gauge(registry, pods, pool));
    gauges.add(READY.gauge(registry, ready, pool));
    gauges.add(WAITING.gauge(registry, waiting, pool));
  }

  /** Removes the gauges, which read this object; a successor of the pool has its own. */
  void close() {
    gauges.forEach(registry::remove);
  }

  void claimed(Duration waited) {
    waits.record(waited);
    claim("success");
  }

  void started(Duration took) {
    starts.record(took);
  }

  void refused(Throwable why) {
    claim(why instanceof SandboxException e ? e.reason().name().toLowerCase(Locale.ROOT) : "error");
  }

  private void claim(String result) {
    CLAIMS.counter(registry, pool, result).increment();
  }

  void stopped(Stop why) {
    String reason = why.failureReason().isEmpty() ? why.reason() : known(why.failureReason());
    STOPS.counter(registry, pool, reason).increment();
  }

  /** Bounds the values of the label: runtimes have unlimited reasons. */
  private static String known(String reason) {
    return switch (reason) {
      case "StartupTimeout", "IdleTimeout", "PodGone", "OOMKilled", "Error", "UnexpectedRestart" ->
          reason;
      default -> "Other";
    };
  }
}
