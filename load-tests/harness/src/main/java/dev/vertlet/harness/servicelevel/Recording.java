package dev.vertlet.harness.servicelevel;

import dev.vertlet.harness.measure.ProcessUsage;
import dev.vertlet.harness.result.servicelevel.ComponentUsage;
import dev.vertlet.harness.result.servicelevel.ControlPlaneRecord;
import dev.vertlet.harness.result.servicelevel.ControlPlaneRecord.Totals;
import dev.vertlet.harness.result.servicelevel.ControlPlaneSample;
import dev.vertlet.harness.result.servicelevel.Curve;
import dev.vertlet.harness.result.servicelevel.RequestKind;
import dev.vertlet.harness.result.servicelevel.RequestLatency;
import dev.vertlet.harness.result.servicelevel.ServiceLevel;
import dev.vertlet.harness.result.servicelevel.Source;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Turns what was read into curves and totals. Keeps the last snapshots, their sums since the
 * beginning, and one small sample for each reading. Pure: takes times in seconds of one clock. Not
 * thread-safe.
 */
final class Recording {
  private static final double MILLIS_PER_SECOND = 1_000;
  private static final String API_SERVER = "kube-apiserver";
  private static final double BYTES_PER_MIB = 1 << 20;

  /**
   * Reading of all programs.
   *
   * @param apiServer its metrics; empty when it did not answer
   * @param scheduler its metrics; empty when it did not answer
   * @param usage usage of local programs by name
   */
  record Reading(
      Optional<MetricsSnapshot> apiServer,
      Optional<MetricsSnapshot> scheduler,
      Map<String, ProcessUsage> usage) {}

  /** Counters of one program: the last reading, and the increase since the beginning. */
  private static final class Counters {
    private Optional<MetricsSnapshot> last = Optional.empty();
    private double lastSeconds;
    private MetricsSnapshot total = MetricsSnapshot.EMPTY;

    /** Adds a reading; returns the increase since the last one, empty for the first. */
    Optional<MetricsSnapshot> add(MetricsSnapshot now, double seconds) {
      Optional<MetricsSnapshot> increase =
          last.map(before -> now.since(before, ControlPlaneMetrics::isCounter));
      increase.ifPresent(more -> total = total.plus(more));
      last = Optional.of(now);
      lastSeconds = seconds;
      return increase;
    }
  }

  private final Counters apiServer = new Counters();
  private final Counters scheduler = new Counters();
  private final Map<String, ProcessUsage> lastUsage = new HashMap<>();
  private final Map<String, List<ComponentUsage.Sample>> usages = new LinkedHashMap<>();
  private final Map<String, Double> cpuMillis = new HashMap<>();
  private final List<ControlPlaneSample> samples = new ArrayList<>();
  private double zero;
  private double lastUsageSeconds;
  private boolean severalServers;

  /** Forgets all curves and totals; times count from now. */
  void begin(double seconds) {
    zero = seconds;
    samples.clear();
    usages.clear();
    cpuMillis.clear();
    forget();
  }

  /** Forgets the totals but keeps the curves, at the end of a warm-up. */
  void forget() {
    apiServer.total = MetricsSnapshot.EMPTY;
    scheduler.total = MetricsSnapshot.EMPTY;
  }

  /** Whether the API server has ever answered. */
  boolean answered() {
    return apiServer.last.isPresent();
  }

  void add(double seconds, Reading reading) {
    Map<Curve, Double> values = new EnumMap<>(Curve.class);
    reading.apiServer().ifPresent(now -> apiServer(now, seconds, values));
    reading
        .scheduler()
        .ifPresent(
            now -> {
              double last = scheduler.lastSeconds;
              scheduler
                  .add(now, seconds)
                  .ifPresent(more -> scheduling(more, seconds - last, values));
            });
    if (!values.isEmpty()) {
      samples.add(new ControlPlaneSample(seconds - zero, values));
    }
    usage(seconds, usageOf(reading));
  }

  private void apiServer(MetricsSnapshot now, double seconds, Map<Curve, Double> values) {
    severalServers |= answeredByAnother(now);
    if (ControlPlaneMetrics.tellsInFlight(now)) {
      values.put(Curve.IN_FLIGHT_MUTATING, ControlPlaneMetrics.inFlight(now, "mutating"));
      values.put(Curve.IN_FLIGHT_READS, ControlPlaneMetrics.inFlight(now, "readOnly"));
    }
    values.put(
        Curve.OBJECTS,
        (double) ControlPlaneMetrics.objects(now).stream().mapToLong(o -> o.count()).sum());
    double last = apiServer.lastSeconds;
    apiServer.add(now, seconds).ifPresent(more -> requests(more, seconds - last, values));
  }

  /** An API server that was started before the one that answered last is another one. */
  private boolean answeredByAnother(MetricsSnapshot now) {
    OptionalDouble before =
        apiServer.last.map(MetricsSnapshot::processStart).orElse(OptionalDouble.empty());
    return before.isPresent()
        && now.processStart().isPresent()
        && now.processStart().getAsDouble() < before.getAsDouble();
  }

  private static void requests(MetricsSnapshot more, double took, Map<Curve, Double> values) {
    values.put(Curve.REQUESTS, ControlPlaneMetrics.answers(more) / took);
    values.put(Curve.REJECTED, ControlPlaneMetrics.rejected(more) / took);
    values.put(Curve.TERMINATED, ControlPlaneMetrics.terminated(more) / took);
    values.put(Curve.WATCH_EVENTS, ControlPlaneMetrics.watchEvents(more) / took);
    percentile(ControlPlaneMetrics.etcd(more), Curve.ETCD_P99, values);
    Map<ServiceLevel, Histogram> levels = new EnumMap<>(ServiceLevel.class);
    ControlPlaneMetrics.requests(more)
        .forEach(
            (kind, histogram) ->
                ServiceLevel.of(kind)
                    .ifPresent(level -> levels.merge(level, histogram, Histogram::plus)));
    percentile(levels.get(ServiceLevel.MUTATING), Curve.MUTATING_P99, values);
    percentile(levels.get(ServiceLevel.SINGLE_READS), Curve.SINGLE_READS_P99, values);
    percentile(levels.get(ServiceLevel.LISTS), Curve.LISTS_P99, values);
  }

  private static void scheduling(MetricsSnapshot more, double took, Map<Curve, Double> values) {
    values.put(Curve.SCHEDULING_ATTEMPTS, ControlPlaneMetrics.attempts(more) / took);
    percentile(ControlPlaneMetrics.attemptTimes(more), Curve.SCHEDULING_P99, values);
  }

  private static void percentile(
      @Nullable Histogram histogram, Curve curve, Map<Curve, Double> values) {
    if (histogram != null && histogram.count() > 0) {
      values.put(curve, histogram.quantile(0.99) * MILLIS_PER_SECOND);
    }
  }

  /** Usage of local programs, or what the API server tells of itself. */
  private static Map<String, ProcessUsage> usageOf(Reading reading) {
    Map<String, ProcessUsage> all = new LinkedHashMap<>(reading.usage());
    reading
        .apiServer()
        .filter(ControlPlaneMetrics::tellsItsUsage)
        .ifPresent(
            now -> {
              double mib = ControlPlaneMetrics.residentBytes(now) / BYTES_PER_MIB;
              long nanos = (long) (ControlPlaneMetrics.cpuSeconds(now) * 1e9);
              all.putIfAbsent(API_SERVER, new ProcessUsage(Duration.ofNanos(nanos), mib, mib));
            });
    return all;
  }

  private void usage(double seconds, Map<String, ProcessUsage> now) {
    double took = seconds - lastUsageSeconds;
    now.forEach(
        (name, usage) -> {
          ProcessUsage before = lastUsage.put(name, usage);
          if (before == null) {
            return;
          }
          double cpu = usage.cpuMillis() - before.cpuMillis();
          double millis = cpu < 0 ? usage.cpuMillis() : cpu; // it was started again
          cpuMillis.merge(name, millis, Double::sum);
          usages
              .computeIfAbsent(name, first -> new ArrayList<>())
              .add(
                  new ComponentUsage.Sample(
                      seconds - zero,
                      millis / (took * MILLIS_PER_SECOND) * 100,
                      usage.residentMiB()));
        });
    lastUsageSeconds = seconds;
  }

  /**
   * Everything so far.
   *
   * @param trouble why metrics were not read; empty for none
   */
  ControlPlaneRecord result(List<String> trouble) {
    List<String> notes = new ArrayList<>(trouble);
    boolean measured =
        apiServer.last.filter(ControlPlaneMetrics::measuresRequests).isPresent() && !severalServers;
    if (severalServers) {
      notes.add(
          "several API servers answer in turn, and their counters do not add up:"
              + " service levels are those that clients saw");
    } else if (answered() && !measured) {
      notes.add(
          "the API server has no apiserver_request_sli_duration_seconds:"
              + " service levels are those that clients saw");
    }
    List<RequestLatency> requests =
        !measured
            ? List.of()
            : ControlPlaneMetrics.requests(apiServer.total).entrySet().stream()
                .map(kind -> latency(kind.getKey(), kind.getValue()))
                .sorted(
                    Comparator.comparingLong(RequestLatency::count)
                        .reversed()
                        .thenComparing(RequestLatency::kind))
                .toList();
    return new ControlPlaneRecord(
        notes,
        requests,
        totals(answered() && !severalServers),
        apiServer.last.map(ControlPlaneMetrics::objects).orElse(List.of()),
        usages.entrySet().stream().map(this::component).toList(),
        severalServers ? List.of() : samples);
  }

  private static RequestLatency latency(RequestKind kind, Histogram seconds) {
    return new RequestLatency(
        kind,
        Source.API_SERVER,
        Math.round(seconds.count()),
        seconds.quantile(0.5) * MILLIS_PER_SECOND,
        seconds.quantile(0.9) * MILLIS_PER_SECOND,
        seconds.quantile(0.99) * MILLIS_PER_SECOND);
  }

  private Totals totals(boolean measured) {
    MetricsSnapshot server = apiServer.total;
    MetricsSnapshot scheduling = scheduler.total;
    boolean scheduled = scheduler.last.isPresent();
    return new Totals(
        measured ? ControlPlaneMetrics.rejected(server) : Double.NaN,
        measured ? ControlPlaneMetrics.terminated(server) : Double.NaN,
        measured ? ControlPlaneMetrics.watchEvents(server) : Double.NaN,
        measured ? millis(ControlPlaneMetrics.etcd(server)) : Double.NaN,
        scheduled ? ControlPlaneMetrics.attempts(scheduling) : Double.NaN,
        scheduled ? ControlPlaneMetrics.unschedulable(scheduling) : Double.NaN,
        scheduled ? millis(ControlPlaneMetrics.attemptTimes(scheduling)) : Double.NaN);
  }

  private static double millis(Histogram histogram) {
    return histogram.quantile(0.99) * MILLIS_PER_SECOND;
  }

  private ComponentUsage component(Map.Entry<String, List<ComponentUsage.Sample>> usage) {
    return new ComponentUsage(
        usage.getKey(),
        cpuMillis.getOrDefault(usage.getKey(), 0.0),
        usage.getValue().stream().mapToDouble(ComponentUsage.Sample::residentMiB).max().orElse(0),
        usage.getValue());
  }
}
