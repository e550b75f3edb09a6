package dev.vertlet.kubelet;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts requests under the names of a kubelet's metrics. A request counts when it comes, as
 * sessions last for hours; how long it took is known when it is over. Confined to the server's
 * event loop, but for what scrapes read.
 */
final class RequestMeter {
  private static final Set<String> METHODS =
      Set.of("OPTIONS", "GET", "HEAD", "POST", "PUT", "DELETE", "TRACE", "CONNECT");
  private static final Set<Endpoint> LONG =
      Set.of(Endpoint.EXEC, Endpoint.ATTACH, Endpoint.PORT_FORWARD);

  /** Those of Prometheus' client for Go, which a kubelet has. */
  private static final Duration[] BUCKETS = {
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(25),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(250),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofMillis(2500),
    Duration.ofSeconds(5),
    Duration.ofSeconds(10)
  };

  private final MeterRegistry registry;
  private final Map<Kind, Meters> meters = new HashMap<>();

  RequestMeter(MeterRegistry registry) {
    this.registry = registry;
  }

  /**
   * What requests have in common that are counted together: some hundred kinds at most, whatever
   * clients send.
   *
   * @param open whether it came to the read-only port
   */
  private record Kind(Endpoint endpoint, String method, boolean open) {}

  /** A request that has come. */
  static final class Began {
    private final Meters of;

    private Began(Meters of) {
      this.of = of;
    }

    /** It is over. Called once. */
    void ended(Duration took) {
      of.inFlight.decrementAndGet();
      of.duration.record(took);
    }
  }

  /**
   * A request has come.
   *
   * @param webSocket whether it asks for one
   */
  Began began(Endpoint endpoint, String method, boolean open, boolean webSocket) {
    Kind kind = new Kind(endpoint, METHODS.contains(method) ? method : "other", open);
    Meters of = meters.computeIfAbsent(kind, Meters::new);
    of.requests.increment();
    of.inFlight.incrementAndGet();
    if (webSocket && LONG.contains(endpoint)) {
      Counter.builder("kubelet.websocket.streaming.requests")
          .description("Requests for an exec, an attach or a port-forward over a WebSocket")
          .tag("subresource", endpoint.path().toLowerCase(Locale.ROOT))
          .register(registry)
          .increment();
    }
    return new Began(of);
  }

  private final class Meters {
    private final AtomicInteger inFlight = new AtomicInteger();
    private final Counter requests;
    private final Timer duration;

    Meters(Kind kind) {
      Tags tags =
          Tags.of(
              "method",
              kind.method,
              "path",
              kind.endpoint.path(),
              "server_type",
              kind.open ? "readonly" : "readwrite",
              "long_running",
              Boolean.toString(LONG.contains(kind.endpoint)));
      Gauge.builder("kubelet.http.inflight.requests", inFlight, AtomicInteger::get)
          .description("Requests to the kubelets' API that are being served")
          .tags(tags)
          .register(registry);
      requests =
          Counter.builder("kubelet.http.requests")
              .description("Requests to the kubelets' API that have come")
              .tags(tags)
              .register(registry);
      duration =
          Timer.builder("kubelet.http.requests.duration")
              .description("How long requests to the kubelets' API took")
              .tags(tags)
              .serviceLevelObjectives(BUCKETS)
              .register(registry);
    }
  }
}
