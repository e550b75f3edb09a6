package dev.vertlet.harness.result;

import java.util.List;
import java.util.Optional;

/**
 * Result of one phase.
 *
 * @param warmUp whether its figures are ignored
 * @param beganSeconds start, after the start of the first phase
 * @param seconds time from its first request to its last result, or the duration of a hold
 * @param created pods requested
 * @param ready pods that became Ready
 * @param deleted pods whose deletion was requested
 * @param gone pods that are gone
 * @param updates changed pods
 * @param create latency from the create, or its due time, to Ready in a watch
 * @param delete latency from the delete, or its due time, to gone in a watch
 * @param cpuMillis CPU time of the subject
 * @param timeline one entry per second, from the start of the phase
 * @param heap live heap of the subject, if measured
 */
public record PhaseResult(
    String name,
    boolean warmUp,
    double beganSeconds,
    double seconds,
    int created,
    int ready,
    int deleted,
    int gone,
    int updates,
    Latencies create,
    Latencies delete,
    double cpuMillis,
    List<Second> timeline,
    Optional<LiveHeap> heap) {
  private static final double MILLIS_PER_SECOND = 1_000;

  public PhaseResult {
    timeline = List.copyOf(timeline);
  }

  /** Creates a result without the subject's heap. */
  public PhaseResult(
      String name,
      boolean warmUp,
      double beganSeconds,
      double seconds,
      int created,
      int ready,
      int deleted,
      int gone,
      int updates,
      Latencies create,
      Latencies delete,
      double cpuMillis,
      List<Second> timeline) {
    this(
        name,
        warmUp,
        beganSeconds,
        seconds,
        created,
        ready,
        deleted,
        gone,
        updates,
        create,
        delete,
        cpuMillis,
        timeline,
        Optional.empty());
  }

  /** Events of one second. */
  public record Second(int ready, int gone) {}

  /** Returns this result with the CPU time of the subject. */
  public PhaseResult withCpuMillis(double millis) {
    return with(millis, heap);
  }

  /** Returns this result with the subject's heap before and after. */
  public PhaseResult withHeap(LiveHeap live) {
    return with(cpuMillis, Optional.of(live));
  }

  private PhaseResult with(double millis, Optional<LiveHeap> live) {
    return new PhaseResult(
        name,
        warmUp,
        beganSeconds,
        seconds,
        created,
        ready,
        deleted,
        gone,
        updates,
        create,
        delete,
        millis,
        timeline,
        live);
  }

  /** Pods that became Ready or went, or updates, per second of the phase; 0 for none. */
  public double perSecond() {
    return seconds <= 0 ? 0 : work() / seconds;
  }

  /** CPU milliseconds per pod that became Ready or went, or per update; NaN for none. */
  public double cpuMillisPerPod() {
    return work() == 0 ? Double.NaN : cpuMillis / work();
  }

  /**
   * Live heap of the subject in bytes per additional pod after the phase; NaN if it was not
   * measured or the number of pods is unchanged.
   */
  public double heapBytesPerPod() {
    return heap.map(live -> live.bytesPerPod(ready - gone)).orElse(Double.NaN);
  }

  /** CPU time in percent of one core; NaN for a phase without duration. */
  public double cpuPercent() {
    return seconds <= 0 ? Double.NaN : cpuMillis / (seconds * MILLIS_PER_SECOND) * 100;
  }

  private int work() {
    return Math.max(ready + gone, updates);
  }
}
