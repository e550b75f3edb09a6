package dev.vertlet.kube.client;

import dev.vertlet.kube.Lane;
import dev.vertlet.kube.Verb;
import dev.vertlet.meter.Metric;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntSupplier;

/**
 * All meters of this package, with client-go's names where it has one. Called on the client's
 * context; any thread may read the meters.
 */
public final class KubeMetrics {
  static final Metric REQUESTS =
      Metric.counter(
          "rest_client_requests_total",
          "requests",
          "answered, by HTTP code; `<error>` without an answer",
          "verb",
          "resource",
          "code");
  static final Metric DURATION =
      Metric.histogram(
          "rest_client_request_duration_seconds",
          "seconds",
          "from leaving the lane to the last byte of the answer",
          "verb",
          "resource");
  static final Metric SENT =
      Metric.summary(
          "rest_client_request_size_bytes",
          "bytes",
          "of the bodies of requests",
          "verb",
          "resource");
  static final Metric RECEIVED =
      Metric.summary(
          "rest_client_response_size_bytes",
          "bytes",
          "of the bodies of answers, after decryption",
          "verb",
          "resource");
  static final Metric QUEUE_WAIT =
      Metric.histogram(
          "rest_client_queue_wait_seconds",
          "seconds",
          "that a request waited for a place in the window",
          "lane");
  static final Metric QUEUE_DEPTH =
      Metric.gauge(
          "rest_client_queue_depth", "requests", "that wait for a place in the window", "lane");
  static final Metric IN_FLIGHT =
      Metric.gauge(
          "rest_client_in_flight_requests", "requests", "sent and not answered yet", "connection");
  public static final Metric RETRIES =
      Metric.counter(
          "rest_client_request_retries_total",
          "requests",
          "sent again with fresh credentials after a 401");
  public static final Metric REFRESHES =
      Metric.counter(
          "rest_client_credential_refreshes_total", "times", "the credentials were read again");
  static final Metric PAUSES =
      Metric.counter(
          "rest_client_throttle_pauses_total",
          "times",
          "a 429 paused all lanes but that of Leases");
  public static final Metric CONNECTIONS =
      Metric.counter(
          "rest_client_connections_opened_total",
          "connections",
          "opened to the API server",
          "connection");
  public static final Metric LISTS =
      Metric.counter(
          "reflector_lists_total", "lists", "read as a whole, streamed or paged", "resource");
  static final Metric WATCHES =
      Metric.counter("reflector_watches_total", "watches", "opened", "resource");
  public static final Metric RELISTS =
      Metric.counter("reflector_relists_total", "lists", "after the first", "resource");
  static final Metric EVENTS =
      Metric.counter(
          "reflector_events_total",
          "events",
          "of watches received, bookmarks included",
          "resource");
  public static final Metric DECODE_ERRORS =
      Metric.counter(
          "reflector_decode_errors_total",
          "events",
          "or lists that could not be decoded",
          "resource");

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

  // registered from the start, so that dashboards see them rise from 0
  private final Counter retries;
  private final Counter refreshes;
  private final Counter pauses;

  KubeMetrics(MeterRegistry registry) {
    this.registry = registry;
    this.retries = RETRIES.counter(registry);
    this.refreshes = REFRESHES.counter(registry);
    this.pauses = PAUSES.counter(registry);
    for (Verb verb : Verb.values()) {
      requests.put(verb, new HashMap<>());
    }
    for (Lane lane : Lane.values()) {
      waits.put(lane, QUEUE_WAIT.timer(registry, BUCKETS, tag(lane)));
    }
  }

  /** A scraping thread reads values of the loop; a slightly old depth is fine. */
  void gauges(LaneQueue<?> main, LaneQueue<?> lease, IntSupplier inFlight, IntSupplier leases) {
    for (Lane lane : Lane.values()) {
      LaneQueue<?> queue = lane == Lane.LEASE ? lease : main;
      QUEUE_DEPTH.gauge(registry, () -> queue.size(lane), tag(lane));
    }
    IN_FLIGHT.gauge(registry, inFlight::getAsInt, "main");
    IN_FLIGHT.gauge(registry, leases::getAsInt, "lease");
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
    return CONNECTIONS.counter(registry, role);
  }

  public OfReflector reflector(String resource) {
    return new OfReflector(registry, resource);
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
      this.duration = DURATION.timer(registry, BUCKETS, verb, resource);
      this.sent = SENT.summary(registry, verb, resource);
      this.received = RECEIVED.summary(registry, verb, resource);
    }

    /**
     * Counts an answer and its duration.
     *
     * @param status HTTP status, 0 when there was no answer
     */
    void answered(int status, long nanos) {
      codes.computeIfAbsent(status, this::code).increment();
      duration.record(Duration.ofNanos(nanos));
    }

    /** Counts a watch without a duration: a stream has none. */
    void opened(int status) {
      codes.computeIfAbsent(status, this::code).increment();
    }

    void sent(int bytes) {
      sent.record(bytes);
    }

    void received(int bytes) {
      received.record(bytes);
    }

    private Counter code(int status) {
      String code = status == 0 ? "<error>" : Integer.toString(status);
      return REQUESTS.counter(registry, verb, resource, code);
    }
  }

  /** Meters of the reflectors of one resource. */
  public static final class OfReflector {
    public final Counter lists;
    final Counter watches;
    public final Counter relists;
    final Counter events;
    public final Counter decodeErrors;

    private OfReflector(MeterRegistry registry, String resource) {
      lists = LISTS.counter(registry, resource);
      watches = WATCHES.counter(registry, resource);
      relists = RELISTS.counter(registry, resource);
      events = EVENTS.counter(registry, resource);
      decodeErrors = DECODE_ERRORS.counter(registry, resource);
    }
  }
}
