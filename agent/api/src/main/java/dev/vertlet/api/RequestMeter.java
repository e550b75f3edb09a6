package dev.vertlet.api;

import dev.vertlet.api.route.Endpoint;
import dev.vertlet.meter.Metric;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts requests under a kubelet's metric names. A request counts on arrival, as sessions last for
 * hours; its duration counts at its end. Confined to the server's event loop, except for values
 * that scrapes read.
 */
final class RequestMeter {
  private static final Set<String> METHODS =
      Set.of("OPTIONS", "GET", "HEAD", "POST", "PUT", "DELETE", "TRACE", "CONNECT");
  private static final Set<Endpoint> LONG =
      Set.of(Endpoint.EXEC, Endpoint.ATTACH, Endpoint.PORT_FORWARD);

  /** Buckets of Prometheus' client for Go, which a kubelet uses. */
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

  private static final String[] LABELS = {"method", "path", "server_type", "long_running"};

  private static final Metric REQUESTS =
      Metric.counter(
          "kubelet_http_requests_total",
          "requests",
          "that arrived. `path` is its first part, `other` for an unknown route; `server_type` is"
              + " `readwrite`, or `readonly` on the read-only port;"
              + " `long_running` is `true` for exec, attach and port-forward",
          LABELS);
  private static final Metric IN_FLIGHT =
      Metric.gauge("kubelet_http_inflight_requests", "requests", "that are being served", LABELS);
  private static final Metric DURATION =
      Metric.histogram(
          "kubelet_http_requests_duration_seconds",
          "seconds",
          "that requests took, up to the last byte",
          LABELS);
  private static final Metric WEB_SOCKETS =
      Metric.counter(
          "kubelet_websocket_streaming_requests_total",
          "requests",
          "for a session over a WebSocket: `exec`, `attach` or `portforward`",
          "subresource");

  private final MeterRegistry registry;
  private final Map<Kind, Meters> meters = new HashMap<>();

  RequestMeter(MeterRegistry registry) {
    this.registry = registry;
  }

  /**
   * Labels of requests that are counted together: a few hundred combinations at most, whatever
   * clients send.
   *
   * @param open whether the request came to the read-only port
   */
  private record Kind(Endpoint endpoint, String method, boolean open) {}

  static final class Began {
    private final Meters of;

    private Began(Meters of) {
      this.of = of;
    }

    /** Records the end of the request. Called once. */
    void ended(Duration took) {
      of.inFlight.decrementAndGet();
      of.duration.record(took);
    }
  }

  /**
   * Records the arrival of a request.
   *
   * @param webSocket whether it requests a WebSocket
   */
  Began began(Endpoint endpoint, String method, boolean open, boolean webSocket) {
    Kind kind = new Kind(endpoint, METHODS.contains(method) ? method : "other", open);
    Meters of = meters.computeIfAbsent(kind, Meters::new);
    of.requests.increment();
    of.inFlight.incrementAndGet();
    if (webSocket && LONG.contains(endpoint)) {
      WEB_SOCKETS.counter(registry, endpoint.path().toLowerCase(Locale.ROOT)).increment();
    }
    return new Began(of);
  }

  private final class Meters {
    private final AtomicInteger inFlight = new AtomicInteger();
    private final Counter requests;
    private final Timer duration;

    Meters(Kind kind) {
      String[] labels = {
        kind.method,
        kind.endpoint.path(),
        kind.open ? "readonly" : "readwrite",
        Boolean.toString(LONG.contains(kind.endpoint))
      };
      IN_FLIGHT.gauge(registry, inFlight::get, labels);
      requests = REQUESTS.counter(registry, labels);
      duration = DURATION.timer(registry, BUCKETS, labels);
    }
  }
}
