package dev.vertlet.harness.load;

import dev.vertlet.harness.measure.LatencyHistogram;
import dev.vertlet.harness.result.Latencies;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStatusView;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Start-up of pods as Kubernetes' service level defines it: from their creation until a watch shows
 * that all containers have started, without image pulls. Pods of a load have no init containers.
 * Pods that are gone are only part of a histogram. Pure: takes times in nanoseconds of one
 * monotonic clock. Not thread-safe.
 */
final class PodStartups {
  /** Pod that exists. */
  private static final class Pod {
    private final long created;
    private long took = -1;
    private long pulled;
    private boolean counts;

    Pod(long created) {
      this.created = created;
    }

    void addTo(LatencyHistogram startups) {
      if (took >= 0 && counts) {
        startups.record(took - pulled);
      }
    }
  }

  private final Map<String, Pod> pods = new HashMap<>();
  private final LatencyHistogram gone = new LatencyHistogram();
  private boolean counting = true;

  /** Sets whether pods that start from now on count: not during a warm-up. */
  void count(boolean count) {
    counting = count;
  }

  /** Records that the load creates a pod; its creation timestamp has only whole seconds. */
  void created(String name, long now) {
    pods.put(name, new Pod(now));
  }

  /**
   * Records a new or changed pod. One that a controller created began at its creation timestamp.
   *
   * @param wall this machine's time, by the cluster's clock as far as both agree
   */
  void observe(PodView pod, long now, Instant wall) {
    Pod known =
        pods.computeIfAbsent(pod.name(), name -> new Pod(now - age(pod.creationTimestamp(), wall)));
    if (known.took < 0 && hasStarted(pod)) {
      known.took = now - known.created;
      known.counts = counting;
    }
  }

  private static long age(@Nullable Instant created, Instant wall) {
    return created == null ? 0 : Math.max(0, Duration.between(created, wall).toNanos());
  }

  private static boolean hasStarted(PodView pod) {
    List<ContainerStatusView> statuses = pod.status().containerStatuses();
    return statuses.size() >= pod.spec().containers().size()
        && statuses.stream()
            .allMatch(
                status ->
                    status.restartCount() > 0
                        || (status.state() != null
                            && !(status.state() instanceof ContainerStateView.Waiting)));
  }

  /** Records that an image of a pod was pulled, before or after the pod was seen to start. */
  void pulled(String name, Duration took) {
    Pod pod = pods.get(name);
    if (pod != null) {
      pod.pulled += took.toNanos();
    }
  }

  /** Records that a pod no longer exists. */
  void gone(String name) {
    Pod pod = pods.remove(name);
    if (pod != null) {
      pod.addTo(gone);
    }
  }

  /** Start-ups of all pods so far. */
  Latencies result() {
    LatencyHistogram all = new LatencyHistogram();
    all.add(gone);
    pods.values().forEach(pod -> pod.addTo(all));
    return all.latencies();
  }
}
