package dev.vertlet.cri.stats;

import static dev.vertlet.cri.stats.UsageSamples.number;

import dev.vertlet.cri.wire.ImageMessages.FilesystemUsage;
import dev.vertlet.cri.wire.StatsMessages.ContainerStats;
import dev.vertlet.cri.wire.StatsMessages.LinuxPodSandboxStats;
import dev.vertlet.cri.wire.StatsMessages.MemoryUsage;
import dev.vertlet.cri.wire.StatsMessages.NetworkInterfaceUsage;
import dev.vertlet.cri.wire.StatsMessages.NetworkUsage;
import dev.vertlet.cri.wire.StatsMessages.ProcessUsage;
import dev.vertlet.cri.wire.StatsMessages.SwapUsage;
import dev.vertlet.provider.node.NodeUsage.ContainerUsage;
import dev.vertlet.provider.node.NodeUsage.Disk;
import dev.vertlet.provider.node.NodeUsage.PodUsage;
import dev.vertlet.provider.node.ResourceStats;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts what the runtime measures. Pure but for the samples. */
final class StatsConverter {
  private static final long NANOS = 1_000_000_000;

  private final UsageSamples samples;

  StatsConverter(UsageSamples samples) {
    this.samples = samples;
  }

  /** Whether anything was measured: a container that has ended uses nothing. */
  static boolean measured(ContainerStats stats) {
    return stats.cpu() != null && number(stats.cpu().usageCoreNanoSeconds()) != null
        || stats.memory() != null;
  }

  /**
   * Converts the usage of a container.
   *
   * @param id of the container
   * @param startedAt null if it is not known
   */
  ContainerUsage container(
      String name, String id, @Nullable Instant startedAt, ContainerStats stats, Disk logs) {
    MemoryUsage memory = stats.memory();
    Long workingSet = memory == null ? null : number(memory.workingSetBytes());
    ResourceStats more =
        new ResourceStats(
            startedAt, samples.cpu(id, stats.cpu()), memory(memory), swap(stats.swap()), null);
    return new ContainerUsage(
        name, workingSet == null ? 0 : workingSet, disk(stats.writableLayer()), logs, more);
  }

  /**
   * Converts the usage of a pod.
   *
   * @param id of its sandbox
   * @param createdAt of its sandbox, in nanoseconds since 1970
   * @param sandbox null if it was not measured
   */
  PodUsage pod(
      String id,
      long createdAt,
      List<ContainerUsage> containers,
      @Nullable LinuxPodSandboxStats sandbox) {
    if (sandbox == null) {
      return new PodUsage(containers, Disk.NONE, 0);
    }
    ResourceStats stats =
        new ResourceStats(
            createdAt <= 0 ? null : Instant.ofEpochSecond(createdAt / NANOS),
            samples.cpu(id, sandbox.cpu()),
            memory(sandbox.memory()),
            null,
            network(sandbox.network()));
    ProcessUsage processes = sandbox.process();
    Long count = processes == null ? null : number(processes.processCount());
    return new PodUsage(containers, Disk.NONE, count == null ? 0 : count, Map.of(), stats);
  }

  private static Disk disk(@Nullable FilesystemUsage usage) {
    if (usage == null) {
      return Disk.NONE;
    }
    Long bytes = number(usage.usedBytes());
    Long inodes = number(usage.inodesUsed());
    return new Disk(bytes == null ? 0 : bytes, inodes == null ? 0 : inodes);
  }

  private static ResourceStats.@Nullable Memory memory(@Nullable MemoryUsage memory) {
    return memory == null
        ? null
        : new ResourceStats.Memory(
            number(memory.workingSetBytes()),
            number(memory.usageBytes()),
            number(memory.rssBytes()),
            number(memory.pageFaults()),
            number(memory.majorPageFaults()));
  }

  private static ResourceStats.@Nullable Swap swap(@Nullable SwapUsage swap) {
    return swap == null
        ? null
        : new ResourceStats.Swap(number(swap.swapUsageBytes()), number(swap.swapAvailableBytes()));
  }

  private static ResourceStats.@Nullable Network network(@Nullable NetworkUsage network) {
    if (network == null) {
      return null;
    }
    NetworkInterfaceUsage first = network.defaultInterface();
    List<ResourceStats.Interface> all = new ArrayList<>();
    if (first != null) {
      all.add(of(first));
    }
    for (NetworkInterfaceUsage other : network.interfaces()) {
      if (first == null || !other.name().equals(first.name())) {
        all.add(of(other));
      }
    }
    return new ResourceStats.Network(first == null ? "" : first.name(), all);
  }

  private static ResourceStats.Interface of(NetworkInterfaceUsage usage) {
    return new ResourceStats.Interface(
        usage.name(),
        number(usage.rxBytes()),
        number(usage.rxErrors()),
        number(usage.txBytes()),
        number(usage.txErrors()));
  }
}
