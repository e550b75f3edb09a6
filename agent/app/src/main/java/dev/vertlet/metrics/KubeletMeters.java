package dev.vertlet.metrics;

import dev.vertlet.kubelet.pod.CoreMeters;
import dev.vertlet.kubelet.pod.RuntimeOperation;
import dev.vertlet.meter.Metric;
import dev.vertlet.provider.failure.ProviderCall;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Metrics of pods and container runtime under a kubelet's names and with its buckets. All cores of
 * a process share one object; it is thread-safe.
 */
public final class KubeletMeters implements CoreMeters {
  private static final Metric POD_WORKER_START =
      Metric.histogram(
          "kubelet_pod_worker_start_duration_seconds",
          "seconds",
          "from first seeing a pod to admitting it");
  private static final Metric POD_START =
      Metric.histogram(
          "kubelet_pod_start_duration_seconds",
          "seconds",
          "from first seeing a pod to its phase Running");
  private static final Metric RELIST_DURATION =
      Metric.histogram(
          "kubelet_pleg_relist_duration_seconds",
          "seconds",
          "that a relist of the runtime and its comparison took");
  private static final Metric RELIST_INTERVAL =
      Metric.histogram(
          "kubelet_pleg_relist_interval_seconds",
          "seconds",
          "between two relists: 60, as a runtime reports changes by itself and relists only repair"
              + " missed ones");
  private static final Metric CONTAINERS =
      Metric.gauge(
          "kubelet_running_containers",
          "containers",
          "of pods with a sandbox, by the state of their newest instance: `running` or `exited`",
          "container_state");
  private static final Metric REQUESTED =
      Metric.counter(
          "kubelet_container_requested_resizes_total",
          "amounts",
          "of containers that were requested to change: of `cpu` or `memory`, among `requests` or"
              + " `limits`, to `add`, `remove`, `increase` or `decrease`",
          "resource",
          "requirement",
          "operation");
  private static final Metric PENDING =
      Metric.gauge(
          "kubelet_pod_pending_resizes",
          "pods",
          "whose requested resources are not granted: `deferred` or `infeasible`",
          "reason");
  private static final Metric IN_PROGRESS =
      Metric.gauge(
          "kubelet_pod_in_progress_resizes",
          "pods",
          "that do not have their granted resources yet");
  private static final Metric INFEASIBLE =
      Metric.counter(
          "kubelet_pod_infeasible_resizes_total",
          "resizes",
          "that cannot be granted: `node_capacity`, or `runtime_unsupported`",
          "reason_detail");
  private static final Metric ACCEPTED =
      Metric.counter(
          "kubelet_pod_deferred_accepted_resizes_total",
          "resizes",
          "that were granted after they had been deferred, by the cause of the new attempt:"
              + " `pod_updated`, `pods_added`, `pods_removed` or `periodic_retry`",
          "retry_trigger");

  /** In milliseconds, as in a kubelet; all other durations are in seconds. */
  private static final Metric RESIZE_DURATION =
      Metric.histogram(
          "kubelet_pod_resize_duration_milliseconds",
          "milliseconds",
          "from granting a resize until it was done or failed",
          "success");

  /** The default buckets of Prometheus' client for Go. */
  private static final Duration[] PLAIN = seconds(.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10);

  private static final Duration[] START =
      seconds(
          .5, 1, 2, 3, 4, 5, 6, 8, 10, 20, 30, 45, 60, 120, 180, 240, 300, 360, 480, 600, 900, 1200,
          1800, 2700, 3600);

  private static final Duration[] OPERATION =
      seconds(IntStream.range(0, 14).mapToDouble(i -> .005 * Math.pow(2.5, i)).toArray());

  private static final double[] RESIZE = {
    10, 50, 100, 500, 1000, 2000, 5000, 10_000, 20_000, 30_000, 60_000, 120_000, 300_000, 600_000
  };

  private final MeterRegistry registry;
  private final Timer podStart;
  private final Timer workerStart;
  private final Timer relistDuration;
  private final Timer relistInterval;

  private final Map<RuntimeOperation, OperationMeter> operations = new ConcurrentHashMap<>();

  // written by the cores' loops, read by scrapes
  private final AtomicInteger sandboxes = new AtomicInteger();
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger exited = new AtomicInteger();
  private final AtomicInteger deferred = new AtomicInteger();
  private final AtomicInteger infeasible = new AtomicInteger();
  private final AtomicInteger inProgress = new AtomicInteger();

  public KubeletMeters(MeterRegistry registry) {
    this.registry = registry;
    podStart = POD_START.timer(registry, START);
    workerStart = POD_WORKER_START.timer(registry, PLAIN);
    relistDuration = RELIST_DURATION.timer(registry, PLAIN);
    relistInterval = RELIST_INTERVAL.timer(registry, PLAIN);
    CONTAINERS.gauge(registry, running::get, "running");
    CONTAINERS.gauge(registry, exited::get, "exited");
    resizes();
    PENDING.gauge(registry, deferred::get, "deferred");
    PENDING.gauge(registry, infeasible::get, "infeasible");
    IN_PROGRESS.gauge(registry, inProgress::get);
  }

  private static Duration[] seconds(double... bounds) {
    return DoubleStream.of(bounds)
        .mapToObj(bound -> Duration.ofNanos(Math.round(bound * 1e9)))
        .toArray(Duration[]::new);
  }

  /** Returns the number of pods with a sandbox. Thread-safe. */
  public int sandboxes() {
    return sandboxes.get();
  }

  @Override
  public void changed(int moreSandboxes, int moreRunning, int moreExited) {
    add(sandboxes, moreSandboxes);
    add(running, moreRunning);
    add(exited, moreExited);
  }

  private static void add(AtomicInteger count, int more) {
    if (more != 0) {
      count.addAndGet(more);
    }
  }

  @Override
  public void letIn(Duration since) {
    workerStart.record(since);
  }

  @Override
  public void started(Duration since) {
    podStart.record(since);
  }

  @Override
  public void resizing(int moreDeferred, int moreInfeasible, int moreInProgress) {
    add(deferred, moreDeferred);
    add(infeasible, moreInfeasible);
    add(inProgress, moreInProgress);
  }

  /** Registers all resize counters at once: a rate needs a zero to start from. */
  private void resizes() {
    for (String resource : List.of("cpu", "memory")) {
      for (String requirement : List.of("requests", "limits")) {
        for (String operation : List.of("add", "remove", "increase", "decrease")) {
          requested(resource, requirement, operation);
        }
      }
    }
    List.of("node_capacity", "runtime_unsupported").forEach(this::infeasible);
    List.of("pod_updated", "pods_added", "pods_removed", "periodic_retry").forEach(this::accepted);
    resizeDuration(true);
    resizeDuration(false);
  }

  private Counter requested(String resource, String requirement, String operation) {
    return REQUESTED.counter(registry, resource, requirement, operation);
  }

  private Counter infeasible(String detail) {
    return INFEASIBLE.counter(registry, detail);
  }

  private Counter accepted(String trigger) {
    return ACCEPTED.counter(registry, trigger);
  }

  private DistributionSummary resizeDuration(boolean success) {
    return RESIZE_DURATION.histogram(registry, RESIZE, Boolean.toString(success));
  }

  @Override
  public void resizeRequested(String resource, String requirement, String operation) {
    requested(resource, requirement, operation).increment();
  }

  @Override
  public void resizeInfeasible(String detail) {
    infeasible(detail).increment();
  }

  @Override
  public void deferredResizeAccepted(String trigger) {
    accepted(trigger).increment();
  }

  @Override
  public void resized(boolean success, Duration took) {
    resizeDuration(success).record(took.toMillis());
  }

  @Override
  public void relisting(Duration sinceLast) {
    relistInterval.record(sinceLast);
  }

  @Override
  public void relisted(Duration took) {
    relistDuration.record(took);
  }

  @Override
  public <T> Future<T> measure(RuntimeOperation operation, Supplier<Future<T>> call) {
    OperationMeter meter = operation(operation);
    long began = System.nanoTime();
    return meter.began(began, ProviderCall.ask(call));
  }

  /** Returns the meter of one kind of runtime call, which appears in scrapes from now on. */
  OperationMeter operation(RuntimeOperation operation) {
    OperationMeter known = operations.get(operation);
    return known != null
        ? known
        : operations.computeIfAbsent(
            operation, added -> new OperationMeter(registry, added.type(), OPERATION));
  }
}
