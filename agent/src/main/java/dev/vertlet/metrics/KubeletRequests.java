package dev.vertlet.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts and times the requests of the kubelet's server under a kubelet's names. Belongs to the
 * server's loop. Whatever clients ask for, there are few labels: an unknown method or path counts
 * as {@code other}.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/server/metrics/metrics.go">
 *     server/metrics/metrics.go, kubelet 1.36.3</a>
 */
public final class KubeletRequests {
  private static final String OTHER = "other";

  private static final Set<String> METHODS =
      Set.of("OPTIONS", "GET", "HEAD", "POST", "PUT", "DELETE", "TRACE", "CONNECT");

  private static final Set<String> PATHS =
      Set.of(
          "attach",
          "checkpoint",
          "configz",
          "containerLogs",
          "debug",
          "exec",
          "healthz",
          "logs",
          "metrics",
          "metrics/cadvisor",
          "metrics/probes",
          "metrics/resource",
          "pods",
          "portForward",
          "run",
          "runningpods",
          "stats");

  /** As the kubelet has it: a port forwarded lasts as long, and is not among them. */
  private static final Set<String> LONG_RUNNING = Set.of("exec", "attach", "debug");

  /** Milliseconds. */
  private static final long[] BUCKETS = {5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000};

  private final MeterRegistry registry;
  private final Map<Labels, Meters> known = new HashMap<>();

  private record Labels(String method, String path, boolean readOnly) {}

  /**
   * @param inflight read by whoever scrapes
   */
  private record Meters(Counter requests, Timer duration, AtomicInteger inflight) {}

  /** A request under way. */
  public static final class Request {
    private final Meters meters;
    private final long begun = System.nanoTime();
    private boolean over;

    private Request(Meters meters) {
      this.meters = meters;
    }

    /** It was answered, or its client has left; the first time counts. */
    public void end() {
      if (!over) {
        over = true;
        meters.inflight.decrementAndGet();
        meters.duration.record(System.nanoTime() - begun, TimeUnit.NANOSECONDS);
      }
    }
  }

  public KubeletRequests(MeterRegistry registry) {
    this.registry = registry;
  }

  /**
   * Counts a request.
   *
   * @param path as a kubelet of one node knows it, without {@code /nodes/<name>} in front
   * @param readOnly whether it came to the read-only port
   */
  public Request begin(String method, String path, boolean readOnly) {
    Labels labels = new Labels(METHODS.contains(method) ? method : OTHER, bucket(path), readOnly);
    Meters meters = known.computeIfAbsent(labels, this::register);
    meters.requests.increment();
    meters.inflight.incrementAndGet();
    return new Request(meters);
  }

  private static String bucket(String path) {
    String[] parts = (path.startsWith("/") ? path.substring(1) : path).split("/", 3);
    boolean deep = parts[0].equals("metrics") && parts.length > 1 && !parts[1].isEmpty();
    String root = deep ? parts[0] + "/" + parts[1] : parts[0];
    return PATHS.contains(root) ? root : OTHER;
  }

  private Meters register(Labels labels) {
    Tags tags =
        Tags.of(
            "method",
            labels.method,
            "path",
            labels.path,
            "server_type",
            labels.readOnly ? "readonly" : "readwrite",
            "long_running",
            Boolean.toString(LONG_RUNNING.contains(labels.path)));
    AtomicInteger inflight = new AtomicInteger();
    Gauge.builder("kubelet.http.inflight.requests", inflight, AtomicInteger::get)
        .description("Number of the inflight http requests")
        .tags(tags)
        .register(registry);
    Duration[] buckets = new Duration[BUCKETS.length];
    for (int i = 0; i < buckets.length; i++) {
      buckets[i] = Duration.ofMillis(BUCKETS[i]);
    }
    return new Meters(
        Counter.builder("kubelet.http.requests")
            .description("Number of the http requests received since the server started")
            .tags(tags)
            .register(registry),
        Timer.builder("kubelet.http.requests.duration")
            .description("Duration in seconds to serve http requests")
            .serviceLevelObjectives(buckets)
            .tags(tags)
            .register(registry),
        inflight);
  }
}
