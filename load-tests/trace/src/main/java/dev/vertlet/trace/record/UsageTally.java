package dev.vertlet.trace.record;

import dev.vertlet.trace.PodUsage;
import org.jspecify.annotations.Nullable;

/** Mean and maximum of what a pod used. */
final class UsageTally {
  private int samples;
  private long cpuSum;
  private long cpuMax;
  private long memorySum;
  private long memoryMax;
  private boolean added;

  static UsageTally restored(@Nullable PodUsage usage) {
    UsageTally tally = new UsageTally();
    if (usage != null) {
      tally.samples = usage.samples();
      tally.cpuSum = usage.cpuMillisMean() * usage.samples();
      tally.cpuMax = usage.cpuMillisMax();
      tally.memorySum = usage.memoryBytesMean() * usage.samples();
      tally.memoryMax = usage.memoryBytesMax();
    }
    return tally;
  }

  void add(long cpuMillis, long memoryBytes) {
    samples++;
    cpuSum += cpuMillis;
    cpuMax = Math.max(cpuMax, cpuMillis);
    memorySum += memoryBytes;
    memoryMax = Math.max(memoryMax, memoryBytes);
    added = true;
  }

  /** Whether the trace lacks some of it. */
  boolean added() {
    return added;
  }

  void written() {
    added = false;
  }

  @Nullable PodUsage usage() {
    return samples == 0
        ? null
        : new PodUsage(cpuSum / samples, cpuMax, memorySum / samples, memoryMax, samples);
  }
}
