package dev.vertlet.kubelet;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts requests under the names of a kubelet's metrics. */
final class RequestMeter {
  private static final Set<String> METHODS =
      Set.of("OPTIONS", "GET", "HEAD", "POST", "PUT", "DELETE", "TRACE", "CONNECT");
  private static final Set<Endpoint> LONG =
      Set.of(Endpoint.EXEC, Endpoint.ATTACH, Endpoint.PORT_FORWARD);

  private final MeterRegistry registry;

  /** Read by scrapes, on other threads. */
  private final Map<Endpoint, AtomicInteger> inFlight = new EnumMap<>(Endpoint.class);

  RequestMeter(MeterRegistry registry) {
    this.registry = registry;
    for (Endpoint endpoint : Endpoint.values()) {
      AtomicInteger count = new AtomicInteger();
      inFlight.put(endpoint, count);
      Gauge.builder("kubelet.http.inflight.requests", count, AtomicInteger::get)
          .description("Number of the inflight http requests")
          .tags(Tags.of("path", endpoint.path()))
          .register(registry);
    }
  }

  /** A request has come. */
  void began(Endpoint endpoint) {
    count(endpoint).incrementAndGet();
  }

  /** It is over. */
  void ended(Endpoint endpoint, String method, boolean open, Duration took) {
    count(endpoint).decrementAndGet();
    Tags tags =
        Tags.of(
            "method",
            METHODS.contains(method) ? method : "other",
            "path",
            endpoint.path(),
            "server_type",
            open ? "readonly" : "readwrite",
            "long_running",
            Boolean.toString(LONG.contains(endpoint)));
    Counter.builder("kubelet.http.requests")
        .description("Number of the http requests received since the server started")
        .tags(tags)
        .register(registry)
        .increment();
    Timer.builder("kubelet.http.requests.duration")
        .description("Duration in seconds to serve http requests")
        .tags(tags)
        .register(registry)
        .record(took);
  }

  private AtomicInteger count(Endpoint endpoint) {
    return inFlight.getOrDefault(endpoint, new AtomicInteger());
  }
}
