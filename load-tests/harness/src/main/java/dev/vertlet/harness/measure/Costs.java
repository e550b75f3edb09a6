package dev.vertlet.harness.measure;

import dev.vertlet.harness.result.LiveHeap;
import dev.vertlet.harness.result.PhaseResult;
import dev.vertlet.harness.result.Resources;
import java.util.ArrayList;
import java.util.List;

/** What a subject used, phase by phase. Not thread-safe. */
public final class Costs {
  private final ProcessUsage ready;
  private final List<ProcessUsage> begun = new ArrayList<>();
  private final List<ProcessUsage> ended = new ArrayList<>();

  /** Before the first phase and after each; empty when nobody looks. */
  private final List<Long> heaps = new ArrayList<>();

  /**
   * @param ready when all nodes were Ready and no pod was there
   */
  public Costs(ProcessUsage ready) {
    this.ready = ready;
  }

  /** A phase begins. */
  public void begin(ProcessUsage usage) {
    begun.add(usage);
  }

  /** That phase has ended. */
  public void end(ProcessUsage usage) {
    ended.add(usage);
  }

  /** Bytes that live now: before the first phase, and after each that has ended. */
  public void heap(long liveBytes) {
    heaps.add(liveBytes);
  }

  /** Phases, in their order, with the CPU time of each, and its heap where that was told. */
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
   * All phases together.
   *
   * @param samples of that time
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
