package dev.vertlet.metrics;

import dev.vertlet.lifecycle.CoreMeters;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * What a kubelet measures of its pods and its container runtime, under a kubelet's names and with
 * its buckets. One for all cores of a process, which may use it from their loops at once.
 */
public final class KubeletMeters implements CoreMeters {
  /** Those of Prometheus' client for Go. */
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

  private final Map<String, OperationMeter> operations = new ConcurrentHashMap<>();

  // the loops of the cores change these, the threads of scrapes read them
  private final AtomicInteger sandboxes = new AtomicInteger();
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger exited = new AtomicInteger();
  private final AtomicInteger deferred = new AtomicInteger();
  private final AtomicInteger infeasible = new AtomicInteger();
  private final AtomicInteger inProgress = new AtomicInteger();

  public KubeletMeters(MeterRegistry registry) {
    this.registry = registry;
    podStart =
        timer(
            "kubelet.pod.start.duration",
            "Duration from seeing a pod for the first time to the pod starting to run",
            START);
    workerStart =
        timer(
            "kubelet.pod.worker.start.duration",
            "Duration from seeing a pod to the first step towards running it",
            PLAIN);
    relistDuration =
        timer("kubelet.pleg.relist.duration", "Duration of listing what the runtime has", PLAIN);
    relistInterval = timer("kubelet.pleg.relist.interval", "Interval between two lists", PLAIN);
    containers("running", running);
    containers("exited", exited);
    resizes();
    pendingResizes("deferred", deferred);
    pendingResizes("infeasible", infeasible);
    Gauge.builder("kubelet.pod.in.progress.resizes", inProgress, AtomicInteger::get)
        .description("Number of resizes that were granted and are not done")
        .register(registry);
  }

  private static Duration[] seconds(double... bounds) {
    return DoubleStream.of(bounds)
        .mapToObj(bound -> Duration.ofNanos(Math.round(bound * 1e9)))
        .toArray(Duration[]::new);
  }

  private Timer timer(String name, String description, Duration[] buckets) {
    return Timer.builder(name)
        .description(description)
        .serviceLevelObjectives(buckets)
        .register(registry);
  }

  private void containers(String state, AtomicInteger count) {
    Gauge.builder("kubelet.running.containers", count, AtomicInteger::get)
        .description("Number of containers in a sandbox, by their newest instance's state")
        .tag("container_state", state)
        .register(registry);
  }

  private void pendingResizes(String reason, AtomicInteger count) {
    Gauge.builder("kubelet.pod.pending.resizes", count, AtomicInteger::get)
        .description("Number of resizes that were not granted, by reason")
        .tag("reason", reason)
        .register(registry);
  }

  /** How many pods have a sandbox. May be read from any thread. */
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

  /** All of them are there from the start: a rate needs a zero to begin with. */
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
    return Counter.builder("kubelet.container.requested.resizes")
        .description("Number of amounts of containers that somebody asked to be another one")
        .tags("resource", resource, "requirement", requirement, "operation", operation)
        .register(registry);
  }

  private Counter infeasible(String detail) {
    return Counter.builder("kubelet.pod.infeasible.resizes")
        .description("Number of resizes that no node can grant")
        .tag("reason_detail", detail)
        .register(registry);
  }

  private Counter accepted(String trigger) {
    return Counter.builder("kubelet.pod.deferred.accepted.resizes")
        .description("Number of resizes that were granted after they had been deferred")
        .tag("retry_trigger", trigger)
        .register(registry);
  }

  /** In milliseconds, as a kubelet has it, and not in seconds as all else. */
  private DistributionSummary resizeDuration(boolean success) {
    return DistributionSummary.builder("kubelet.pod.resize.duration.milliseconds")
        .description("Duration from granting a resize until it was done, or had failed")
        .serviceLevelObjectives(RESIZE)
        .tag("success", Boolean.toString(success))
        .register(registry);
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

  /** Calls of one kind, of whatever runtime; shows in a scrape from now on. */
  OperationMeter operation(String type) {
    return operations.computeIfAbsent(type, t -> new OperationMeter(registry, t, OPERATION));
  }
}
