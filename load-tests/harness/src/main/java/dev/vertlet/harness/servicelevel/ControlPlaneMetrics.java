package dev.vertlet.harness.servicelevel;

import dev.vertlet.harness.result.servicelevel.ControlPlaneRecord.ObjectCount;
import dev.vertlet.harness.result.servicelevel.RequestKind;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Metrics of the API server and the scheduler that are read, and their meaning. */
final class ControlPlaneMetrics {
  /**
   * Latency without webhooks and queues of priority and fairness, as the service levels have it.
   */
  private static final String REQUESTS = "apiserver_request_sli_duration_seconds";

  private static final String ANSWERS = "apiserver_request_total";
  private static final String IN_FLIGHT = "apiserver_current_inflight_requests";
  private static final String TERMINATIONS = "apiserver_request_terminations_total";
  private static final String WATCH_EVENTS = "apiserver_watch_events_total";
  private static final String ETCD = "etcd_request_duration_seconds";
  private static final String OBJECTS = "apiserver_resource_objects";

  /** Name in earlier versions of Kubernetes. */
  private static final String OLD_OBJECTS = "apiserver_storage_objects";

  private static final String ATTEMPTS = "scheduler_schedule_attempts_total";
  private static final String ATTEMPT_TIME = "scheduler_scheduling_attempt_duration_seconds";
  private static final String CPU = "process_cpu_seconds_total";
  private static final String RESIDENT = "process_resident_memory_bytes";

  /** Requests that last as long as their client wants. */
  private static final Set<String> LASTING = Set.of("WATCH", "WATCHLIST", "CONNECT", "PROXY");

  private static final String TOO_MANY_REQUESTS = "429";
  private static final String SCHEDULED = "scheduled";

  /** All metrics by name. */
  static final Map<String, MetricFamily> WANTED =
      Stream.of(
              MetricFamily.histogram(REQUESTS, "verb", "group", "resource", "subresource", "scope"),
              MetricFamily.counter(ANSWERS, "code"),
              MetricFamily.gauge(IN_FLIGHT, "request_kind"),
              MetricFamily.counter(TERMINATIONS),
              MetricFamily.counter(WATCH_EVENTS),
              MetricFamily.histogram(ETCD),
              MetricFamily.gauge(OBJECTS, "group", "resource"),
              MetricFamily.gauge(OLD_OBJECTS, "resource"),
              MetricFamily.counter(ATTEMPTS, "result"),
              MetricFamily.histogram(ATTEMPT_TIME),
              MetricFamily.counter(CPU),
              MetricFamily.gauge(RESIDENT),
              MetricFamily.gauge("process_start_time_seconds"))
          .collect(Collectors.toUnmodifiableMap(MetricFamily::name, Function.identity()));

  private ControlPlaneMetrics() {}

  static boolean isCounter(String name) {
    MetricFamily family = WANTED.get(name);
    return family != null && family.counter();
  }

  /** Whether the API server measures its requests as service levels need it. */
  static boolean measuresRequests(MetricsSnapshot now) {
    return now.has(REQUESTS + "_bucket");
  }

  /** Histograms of all requests for objects, in seconds. */
  static Map<RequestKind, Histogram> requests(MetricsSnapshot increase) {
    Map<RequestKind, Histogram> kinds = new HashMap<>();
    increase
        .histograms(REQUESTS)
        .forEach(
            (labels, histogram) -> {
              String subresource = labels.get(3);
              String resource = labels.get(2);
              if (!resource.isEmpty()
                  && !LASTING.contains(labels.get(0))
                  && histogram.count() > 0) {
                RequestKind kind =
                    new RequestKind(
                        labels.get(0),
                        labels.get(1),
                        subresource.isEmpty() ? resource : resource + "/" + subresource,
                        labels.get(4));
                kinds.merge(kind, histogram, Histogram::plus);
              }
            });
    return kinds;
  }

  static double answers(MetricsSnapshot increase) {
    return increase.sum(ANSWERS);
  }

  static double rejected(MetricsSnapshot increase) {
    return increase.sum(ANSWERS, labels -> labels.get(0).equals(TOO_MANY_REQUESTS));
  }

  static double terminated(MetricsSnapshot increase) {
    return increase.sum(TERMINATIONS);
  }

  static double watchEvents(MetricsSnapshot increase) {
    return increase.sum(WATCH_EVENTS);
  }

  static Histogram etcd(MetricsSnapshot increase) {
    return increase.histogram(ETCD);
  }

  static boolean tellsInFlight(MetricsSnapshot now) {
    return now.has(IN_FLIGHT);
  }

  /**
   * Requests that were being served.
   *
   * @param kind {@code mutating} or {@code readOnly}
   */
  static double inFlight(MetricsSnapshot now, String kind) {
    return now.sum(IN_FLIGHT, labels -> labels.get(0).equals(kind));
  }

  /** Stored objects, the most first; a negative number is one that the API server does not know. */
  static List<ObjectCount> objects(MetricsSnapshot now) {
    Map<String, Double> counts = new HashMap<>();
    String name = now.has(OBJECTS) ? OBJECTS : OLD_OBJECTS;
    now.each(
        name,
        (labels, count) -> {
          if (count > 0) {
            String group = labels.size() > 1 ? labels.get(0) : "";
            String resource = labels.get(labels.size() - 1);
            counts.merge(group.isEmpty() ? resource : resource + "." + group, count, Double::sum);
          }
        });
    return counts.entrySet().stream()
        .map(entry -> new ObjectCount(entry.getKey(), Math.round(entry.getValue())))
        .sorted(
            Comparator.comparingLong(ObjectCount::count)
                .reversed()
                .thenComparing(ObjectCount::resource))
        .toList();
  }

  static double attempts(MetricsSnapshot scheduler) {
    return scheduler.sum(ATTEMPTS);
  }

  static double unschedulable(MetricsSnapshot scheduler) {
    return scheduler.sum(ATTEMPTS, labels -> !labels.get(0).equals(SCHEDULED));
  }

  static Histogram attemptTimes(MetricsSnapshot scheduler) {
    return scheduler.histogram(ATTEMPT_TIME);
  }

  /** CPU time of the process that answered, in seconds since its start. */
  static double cpuSeconds(MetricsSnapshot now) {
    return now.sum(CPU);
  }

  static double residentBytes(MetricsSnapshot now) {
    return now.sum(RESIDENT);
  }

  static boolean tellsItsUsage(MetricsSnapshot now) {
    return now.has(CPU) && now.has(RESIDENT);
  }
}
