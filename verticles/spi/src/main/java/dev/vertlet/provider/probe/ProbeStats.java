package dev.vertlet.provider.probe;

import dev.vertlet.model.PodRef;
import java.util.List;

/**
 * Results of one probe of one container since the agent started: number of failures, and successes
 * by duration.
 *
 * @param durations number of successful probes per bucket of {@link #BOUNDS} (each probe counts
 *     once), and at the end the number of those that took longer
 * @param seconds total duration of the successful probes
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
