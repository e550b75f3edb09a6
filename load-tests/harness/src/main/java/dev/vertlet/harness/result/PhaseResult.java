package dev.vertlet.harness.result;

import java.util.List;
import java.util.Optional;

/**
 * How one phase went.
 *
 * @param warmUp whether it counts for nothing
 * @param beganSeconds after the beginning of the first phase
 * @param seconds from its first request to its last arrival, or for as long as it was to hold
 * @param created pods that were asked for
 * @param ready those that became Ready
 * @param deleted pods that were asked to go
 * @param gone those that went
 * @param updates pods that were changed
 * @param create from the create, or the time it was due, to Ready as a watch shows it
 * @param delete from the delete, or the time it was due, to gone as a watch shows it
 * @param cpuMillis CPU time of the subject
 * @param timeline one entry per second, from the phase's beginning
 * @param heap of the subject, where it was looked at
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

  /** One whose subject's heap was not looked at. */
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

  /** What arrived in one second. */
  public record Second(int ready, int gone) {}

  /** The same with the CPU time of the subject. */
  public PhaseResult withCpuMillis(double millis) {
    return with(millis, heap);
  }

  /** The same with the subject's heap before and after. */
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

  /** Pods that became Ready or went, or updates, per second of the phase; 0 when none did. */
  public double perSecond() {
    return seconds <= 0 ? 0 : work() / seconds;
  }

  /** CPU milliseconds for each pod that became Ready or went, or each update; NaN for none. */
  public double cpuMillisPerPod() {
    return work() == 0 ? Double.NaN : cpuMillis / work();
  }

  /**
   * Live heap of the subject for each pod more, or fewer, after the phase, in bytes; NaN where it
   * was not looked at.
   */
  public double heapBytesPerPod() {
    return heap.map(live -> live.bytesPerPod(ready - gone)).orElse(Double.NaN);
  }

  /** CPU time in percent of one core's; NaN for a phase that took no time. */
  public double cpuPercent() {
    return seconds <= 0 ? Double.NaN : cpuMillis / (seconds * MILLIS_PER_SECOND) * 100;
  }

  private int work() {
    return Math.max(ready + gone, updates);
  }
}
