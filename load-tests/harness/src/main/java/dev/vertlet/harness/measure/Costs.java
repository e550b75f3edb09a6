package dev.vertlet.harness.measure;

import dev.vertlet.harness.result.LiveHeap;
import dev.vertlet.harness.result.PhaseResult;
import dev.vertlet.harness.result.Resources;
import java.util.ArrayList;
import java.util.List;

/** Resource usage of a subject per phase. Not thread-safe. */
public final class Costs {
  private final ProcessUsage ready;
  private final List<ProcessUsage> begun = new ArrayList<>();
  private final List<ProcessUsage> ended = new ArrayList<>();

  /** Live heap before the first phase and after each; empty if it is not measured. */
  private final List<Long> heaps = new ArrayList<>();

  /**
   * @param ready usage when all nodes were Ready and no pod existed
   */
  public Costs(ProcessUsage ready) {
    this.ready = ready;
  }

  /** Records the usage at the start of a phase. */
  public void begin(ProcessUsage usage) {
    begun.add(usage);
  }

  /** Records the usage at the end of the phase. */
  public void end(ProcessUsage usage) {
    ended.add(usage);
  }

  /** Records the live heap in bytes: before the first phase and after each finished one. */
  public void heap(long liveBytes) {
    heaps.add(liveBytes);
  }

  /** Adds CPU time and, if measured, heap to the phases, in order. */
  public List<PhaseResult> of(List<PhaseResult> phases) {
    List<PhaseResult> results = new ArrayList<>();
    for (int i = 0; i < phases.size(); i++) {
      results.add(
          heap(i, i < ended.size() ? phases.get(i).withCpuMillis(cpuMillis(i)) : phases.get(i)));
    }
    return results;
  }

  private PhaseResult heap(int phase, PhaseResult result) {
    return phase + 1 < heaps.size()
        ? result.withHeap(new LiveHeap(heaps.get(phase), heaps.get(phase + 1)))
        : result;
  }

  private double cpuMillis(int phase) {
    return ended.get(phase).cpuMillis() - begun.get(phase).cpuMillis();
  }

  /**
   * Resource usage over all phases.
   *
   * @param samples samples of that time
   */
  public Resources resources(List<PhaseResult> phases, List<Resources.Sample> samples) {
    ProcessUsage end = ended.isEmpty() ? ready : ended.get(ended.size() - 1);
    double full = ended.stream().mapToDouble(ProcessUsage::residentMiB).max().orElse(0);
    return new Resources(
        ready.residentMiB(),
        Math.max(ready.residentMiB(), full),
        end.residentMiB(),
        end.peakMiB(),
        Slope.mebibytesPerHour(samples, phases),
        samples);
  }
}
