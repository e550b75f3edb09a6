package dev.vertlet.sandbox.pool;

import dev.vertlet.sandbox.SandboxException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** What is counted of one pool. */
final class PoolMeters {
  private final MeterRegistry registry;
  private final String pool;
  private final Timer waits;
  private final Timer starts;
  private final List<Gauge> gauges = new ArrayList<>();

  PoolMeters(MeterRegistry registry, String pool) {
    this.registry = registry;
    this.pool = pool;
    this.waits =
        Timer.builder("vertlet.sandbox.claim.wait")
            .description("From a claim to its pod")
            .tag("pool", pool)
            .publishPercentileHistogram()
            .register(registry);
    this.starts =
        Timer.builder("vertlet.sandbox.start")
            .description("From a claim's write to its sandbox being seen to run")
            .tag("pool", pool)
            .publishPercentileHistogram()
            .register(registry);
  }

  void gauges(Supplier<Number> pods, Supplier<Number> ready, Supplier<Number> waiting) {
    gauge("vertlet.sandbox.pool.pods", "Pods of the pool", pods);
    gauge("vertlet.sandbox.pool.ready", "Pods that a claim would get at once", ready);
    gauge("vertlet.sandbox.pool.waiting", "Claims that wait for a pod", waiting);
  }

  private void gauge(String name, String what, Supplier<Number> value) {
    gauges.add(Gauge.builder(name, value).description(what).tag("pool", pool).register(registry));
  }

  /** The gauges are of this pool object alone; the one that goes on has its own. */
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
    Counter.builder("vertlet.sandbox.claims")
        .description("Claims that ended, by how")
        .tag("pool", pool)
        .tag("result", result)
        .register(registry)
        .increment();
  }

  void stopped(Stop why) {
    Counter.builder("vertlet.sandbox.stops")
        .description("Sandboxes that ended, by why")
        .tag("pool", pool)
        .tag("reason", why.failureReason().isEmpty() ? why.reason() : known(why.failureReason()))
        .register(registry)
        .increment();
  }

  /** Runtimes have no end of reasons. */
  private static String known(String reason) {
    return switch (reason) {
      case "StartupTimeout", "IdleTimeout", "PodGone", "OOMKilled", "Error", "UnexpectedRestart" ->
          reason;
      default -> "Other";
    };
  }
}
