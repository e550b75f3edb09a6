package dev.vertlet.provider;

import dev.vertlet.model.PodRef;
import java.util.List;

/**
 * What came of one probe of one container since the agent started: failures, and successes by the
 * time they took.
 *
 * @param durations how many successful probes took no longer than {@link #BOUNDS} says at the same
 *     place, each counted once, and at the end how many took longer
 * @param seconds that successful probes took together
 */
public record ProbeStats(
    PodRef pod,
    String container,
    ProbeKind kind,
    long failed,
    List<Long> durations,
    double seconds) {
  /** Seconds, ascending: Prometheus' default buckets, which kubelets use. */
  public static final List<Double> BOUNDS =
      List.of(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0);

  public ProbeStats {
    durations = List.copyOf(durations);
    if (durations.size() != BOUNDS.size() + 1) {
      throw new IllegalArgumentException(
          "durations must have " + (BOUNDS.size() + 1) + " numbers, got " + durations.size());
    }
  }

  public long succeeded() {
    return durations.stream().mapToLong(Long::longValue).sum();
  }
}
