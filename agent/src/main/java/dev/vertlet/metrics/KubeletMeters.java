package dev.vertlet.metrics;

import dev.vertlet.lifecycle.CoreMeters;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
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

  private final MeterRegistry registry;
  private final Timer podStart;
  private final Timer workerStart;
  private final Timer relistDuration;
  private final Timer relistInterval;

  // the loops of the cores change these, the threads of scrapes read them
  private final AtomicInteger sandboxes = new AtomicInteger();
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger exited = new AtomicInteger();

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
  public void relisting(Duration sinceLast) {
    relistInterval.record(sinceLast);
  }

  @Override
  public void relisted(Duration took) {
    relistDuration.record(took);
  }

  /** Calls of one kind; shows in a scrape from now on. */
  OperationMeter operation(String type) {
    return new OperationMeter(registry, type, OPERATION);
  }
}
