package dev.vertlet.tracing;

import dev.vertlet.bus.Bus;
import dev.vertlet.config.TracingConfig;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.vertx.core.Deployable;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.spi.VertxTracerFactory;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The process's tracer. OpenTelemetry's own environment variables are ignored. */
public final class Tracing implements AutoCloseable {
  /** Time limit for sending the remaining spans at the end of the process. */
  private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(500);

  private static final double MILLION = 1_000_000;

  private final OpenTelemetrySdk sdk;

  private Tracing(OpenTelemetrySdk sdk) {
    this.sdk = sdk;
  }

  /**
   * Starts the tracer; its own thread sends the spans.
   *
   * @param config enabled tracing settings
   */
  public static Tracing open(TracingConfig config) {
    Map<String, String> properties = new HashMap<>();
    properties.put("otel.traces.exporter", config.exporter());
    properties.put("otel.metrics.exporter", "none");
    properties.put("otel.logs.exporter", "none");
    properties.put("otel.service.name", config.serviceName());
    properties.put("otel.exporter.otlp.protocol", "http/protobuf");
    if (!config.endpoint().isEmpty()) {
      properties.put("otel.exporter.otlp.endpoint", config.endpoint());
    }
    properties.put("otel.traces.sampler", "parentbased_traceidratio");
    properties.put(
        "otel.traces.sampler.arg", Double.toString(config.samplingRatePerMillion() / MILLION));
    return new Tracing(
        AutoConfiguredOpenTelemetrySdk.builder()
            .disableShutdownHook()
            // applied last, so that nothing overrides them
            .addPropertiesCustomizer(given -> properties)
            .build()
            .getOpenTelemetrySdk());
  }

  /** Returns the factory for the Vertx whose requests are traced. */
  public VertxTracerFactory factory() {
    OpenTelemetry telemetry = sdk;
    return options -> new RequestTracer(telemetry);
  }

  /**
   * Creates the verticle that traces pods.
   *
   * @param nanos monotonic clock, as in {@code PodStats}
   * @return empty for a Vertx without request tracing
   */
  public static Optional<Deployable> pods(Vertx vertx, Bus bus, Clock clock, LongSupplier nanos) {
    return ((VertxInternal) vertx).tracer() instanceof RequestTracer requests
        ? Optional.of(new PodSpans(requests.tracer(), bus, clock, nanos))
        : Optional.empty();
  }

  /** Sends the remaining spans. Blocks for at most half a second. */
  @Override
  public void close() {
    sdk.shutdown().join(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
  }
}
