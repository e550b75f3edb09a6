package dev.vertlet.kube;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntSupplier;

/**
 * Every meter of this package: names, help and units in one place. client-go's names where it has
 * one. Called on the client's context; the meters themselves may be read by any thread.
 */
final class KubeMetrics {
  static final String REQUESTS = "rest_client_requests_total";
  static final String DURATION = "rest_client_request_duration_seconds";
  static final String SENT = "rest_client_request_size_bytes";
  static final String RECEIVED = "rest_client_response_size_bytes";
  static final String QUEUE_WAIT = "rest_client_queue_wait_seconds";
  static final String QUEUE_DEPTH = "rest_client_queue_depth";
  static final String IN_FLIGHT = "rest_client_in_flight_requests";
  static final String RETRIES = "rest_client_request_retries_total";
  static final String REFRESHES = "rest_client_credential_refreshes_total";
  static final String PAUSES = "rest_client_throttle_pauses_total";
  static final String CONNECTIONS = "rest_client_connections_opened_total";
  static final String LISTS = "reflector_lists_total";
  static final String WATCHES = "reflector_watches_total";
  static final String RELISTS = "reflector_relists_total";
  static final String EVENTS = "reflector_events_total";
  static final String DECODE_ERRORS = "reflector_decode_errors_total";

  /** client-go's buckets of rest_client_request_duration_seconds. */
  private static final Duration[] BUCKETS = {
    Duration.ofMillis(5),
    Duration.ofMillis(25),
    Duration.ofMillis(100),
    Duration.ofMillis(250),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofSeconds(2),
    Duration.ofSeconds(4),
    Duration.ofSeconds(8),
    Duration.ofSeconds(15),
    Duration.ofSeconds(30),
    Duration.ofSeconds(60)
  };

  private final MeterRegistry registry;
  private final Map<Verb, Map<String, OfRequest>> requests = new EnumMap<>(Verb.class);
  private final Map<Lane, Timer> waits = new EnumMap<>(Lane.class);

  // there from the start: who watches them wants to see them rise from 0
  private final Counter retries;
  private final Counter refreshes;
  private final Counter pauses;

  KubeMetrics(MeterRegistry registry) {
    this.registry = registry;
    this.retries = counter(RETRIES, "Requests sent again with fresh credentials after a 401");
    this.refreshes = counter(REFRESHES, "Times the credentials were read anew");
    this.pauses = counter(PAUSES, "Times a 429 paused all lanes but the lease lane");
    for (Verb verb : Verb.values()) {
      requests.put(verb, new HashMap<>());
    }
    for (Lane lane : Lane.values()) {
      waits.put(
          lane,
          Timer.builder(QUEUE_WAIT)
              .description("Time a request waited for a place in the window")
              .tag("lane", tag(lane))
              .serviceLevelObjectives(BUCKETS)
              .register(registry));
    }
  }

  /** Reads cross from the loop to a scraping thread; a depth that is an instant old is fine. */
  void gauges(LaneQueue<?> main, LaneQueue<?> lease, IntSupplier inFlight, IntSupplier leases) {
    for (Lane lane : Lane.values()) {
      LaneQueue<?> queue = lane == Lane.LEASE ? lease : main;
      Gauge.builder(QUEUE_DEPTH, queue, q -> q.size(lane))
          .description("Requests waiting for a place in the window")
          .tag("lane", tag(lane))
          .strongReference(true)
          .register(registry);
    }
    Gauge.builder(IN_FLIGHT, inFlight, IntSupplier::getAsInt)
        .description("Requests sent and not yet answered")
        .tag("connection", "main")
        .strongReference(true)
        .register(registry);
    Gauge.builder(IN_FLIGHT, leases, IntSupplier::getAsInt)
        .description("Requests sent and not yet answered")
        .tag("connection", "lease")
        .strongReference(true)
        .register(registry);
  }

  @SuppressWarnings("NullAway") // the constructor fills every verb
  OfRequest of(Verb verb, String resource) {
    return requests
        .get(verb)
        .computeIfAbsent(resource, r -> new OfRequest(registry, verb.rbac(), r));
  }

  @SuppressWarnings("NullAway") // the constructor fills every lane
  void waited(Lane lane, long nanos) {
    waits.get(lane).record(Duration.ofNanos(Math.max(0, nanos)));
  }

  Counter retries() {
    return retries;
  }

  Counter refreshes() {
    return refreshes;
  }

  Counter pauses() {
    return pauses;
  }

  Counter connections(String role) {
    return Counter.builder(CONNECTIONS)
        .description("Connections opened to the API server")
        .tag("connection", role)
        .register(registry);
  }

  OfReflector reflector(String resource) {
    return new OfReflector(registry, resource);
  }

  private Counter counter(String name, String help) {
    return Counter.builder(name).description(help).register(registry);
  }

  private static String tag(Lane lane) {
    return lane.name().toLowerCase(java.util.Locale.ROOT);
  }

  /** Meters of one verb on one resource. */
  static final class OfRequest {
    private final MeterRegistry registry;
    private final String verb;
    private final String resource;
    private final Timer duration;
    private final DistributionSummary sent;
    private final DistributionSummary received;
    private final Map<Integer, Counter> codes = new HashMap<>();

    private OfRequest(MeterRegistry registry, String verb, String resource) {
      this.registry = registry;
      this.verb = verb;
      this.resource = resource;
      this.duration =
          Timer.builder(DURATION)
              .description("From leaving the lane to the last byte of the answer")
              .tags("verb", verb, "resource", resource)
              .serviceLevelObjectives(BUCKETS)
              .register(registry);
      this.sent = size(SENT, "Bytes of request bodies");
      this.received = size(RECEIVED, "Bytes of answers' bodies, after decryption");
    }

    /**
     * @param status HTTP status, 0 when there was no answer
     */
    void answered(int status, long nanos) {
      codes.computeIfAbsent(status, this::code).increment();
      duration.record(Duration.ofNanos(nanos));
    }

    /** Counts without a duration: a stream has none. */
    void opened(int status) {
      codes.computeIfAbsent(status, this::code).increment();
    }

    void sent(int bytes) {
      sent.record(bytes);
    }

    void received(int bytes) {
      received.record(bytes);
    }

    private DistributionSummary size(String name, String help) {
      return DistributionSummary.builder(name)
          .description(help)
          .baseUnit("bytes")
          .tags("verb", verb, "resource", resource)
          .register(registry);
    }

    private Counter code(int status) {
      return Counter.builder(REQUESTS)
          .description("Requests by verb, resource and HTTP code; <error> when none came")
          .tags("verb", verb, "resource", resource)
          .tag("code", status == 0 ? "<error>" : Integer.toString(status))
          .register(registry);
    }
  }

  /** Meters of the reflectors of one resource. */
  static final class OfReflector {
    final Counter lists;
    final Counter watches;
    final Counter relists;
    final Counter events;
    final Counter decodeErrors;

    private OfReflector(MeterRegistry registry, String resource) {
      lists = counter(registry, LISTS, "Complete lists read, streamed or paged", resource);
      watches = counter(registry, WATCHES, "Watches opened", resource);
      relists = counter(registry, RELISTS, "Lists after the first", resource);
      events = counter(registry, EVENTS, "Watch events received, bookmarks included", resource);
      decodeErrors =
          counter(registry, DECODE_ERRORS, "Events or lists that could not be decoded", resource);
    }

    private static Counter counter(MeterRegistry registry, String name, String help, String res) {
      return Counter.builder(name).description(help).tag("resource", res).register(registry);
    }
  }
}
