package dev.vertlet.stats;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.resource.Quantities;
import dev.vertlet.provider.node.NodeUsage.ContainerUsage;
import dev.vertlet.provider.node.NodeUsage.Disk;
import dev.vertlet.provider.node.NodeUsage.PodUsage;
import dev.vertlet.provider.node.ResourceStats;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One pod with its measured usage.
 *
 * @param ref running pod: the static pod of a mirror pod
 */
record MeasuredPod(PodRef ref, PodView pod, PodUsage usage) {
  /**
   * Returns the CPU usage of the pod as a whole, else the sum of its containers; null when neither
   * is measured.
   */
  ResourceStats.@Nullable Cpu cpu() {
    ResourceStats.Cpu own = usage.stats().cpu();
    if (own != null) {
      return own;
    }
    Long now = sum(ResourceStats.Cpu::nanoCores);
    Long total = sum(ResourceStats.Cpu::coreNanoSeconds);
    return now == null && total == null ? null : new ResourceStats.Cpu(now, total);
  }

  private @Nullable Long sum(Function<ResourceStats.Cpu, @Nullable Long> figure) {
    Long sum = null;
    for (ContainerUsage container : usage.containers()) {
      ResourceStats.Cpu cpu = container.stats().cpu();
      Long own = cpu == null ? null : figure.apply(cpu);
      if (own != null) {
        sum = (sum == null ? 0 : sum) + own;
      }
    }
    return sum;
  }

  /** Returns the working set in bytes of the pod as a whole, else the sum of its containers. */
  long workingSet() {
    ResourceStats.Memory own = usage.stats().memory();
    if (own != null && own.workingSet() != null) {
      return own.workingSet();
    }
    return usage.containers().stream().mapToLong(ContainerUsage::memory).sum();
  }

  /** Returns the disk usage of its containers, their logs and its local volumes. */
  Disk ephemeralStorage() {
    Disk all = usage.volumes();
    for (ContainerUsage container : usage.containers()) {
      all = all.plus(container.rootFs()).plus(container.logs());
    }
    return all;
  }

  /** Returns the memory limit of a container in bytes; null for no limit. */
  @Nullable Long memoryLimit(String name) {
    ContainerView container = pod.spec().container(name);
    String limit = container == null ? null : container.resources().limits().get("memory");
    return limit == null ? null : Quantities.units(limit);
  }
}
