package dev.vertlet.cri.stats;

import dev.vertlet.cri.wire.CommonMessages.UInt64Value;
import dev.vertlet.cri.wire.StatsMessages.CpuUsage;
import dev.vertlet.provider.node.ResourceStats;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Current CPU usage from two measurements of CPU time, for runtimes that do not calculate it. By
 * the id of a container or sandbox. Confined to the shard's loop.
 */
final class UsageSamples {
  private static final double NANOS = 1e9;

  private final Map<String, Sample> samples = new HashMap<>();

  private record Sample(long at, long nanos, @Nullable Long nanoCores) {}

  /** Converts a measurement; null if CPU was not measured. */
  ResourceStats.@Nullable Cpu cpu(String id, @Nullable CpuUsage cpu) {
    Long nanos = cpu == null ? null : number(cpu.usageCoreNanoSeconds());
    if (cpu == null || nanos == null) {
      return null;
    }
    Long said = number(cpu.usageNanoCores());
    // containerd says 0 when it measures for the first time
    return new ResourceStats.Cpu(
        said != null && said > 0 ? said : calculated(id, cpu.timestamp(), nanos), nanos);
  }

  private @Nullable Long calculated(String id, long at, long nanos) {
    Sample before = samples.get(id);
    Long nanoCores = before == null ? null : before.nanoCores();
    if (before != null && at > before.at()) {
      nanoCores = (long) (Math.max(0, nanos - before.nanos()) * NANOS / (at - before.at()));
    }
    if (before == null || at > before.at()) {
      samples.put(id, new Sample(at, nanos, nanoCores));
    }
    return nanoCores;
  }

  /** Forgets all others. */
  void retain(Set<String> ids) {
    samples.keySet().retainAll(ids);
  }

  static @Nullable Long number(@Nullable UInt64Value value) {
    // what is above 2^63 means no limit
    return value == null || value.value() < 0 ? null : value.value();
  }
}
