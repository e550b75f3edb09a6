package dev.vertlet.simulated;

import dev.vertlet.model.resource.Quantities;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.node.NodeUsage.ContainerUsage;
import dev.vertlet.provider.node.NodeUsage.Disk;
import dev.vertlet.provider.node.NodeUsage.PodUsage;
import dev.vertlet.provider.node.NodeUsage.Supply;
import dev.vertlet.provider.node.ResourceStats;
import dev.vertlet.provider.node.ResourceStats.Cpu;
import dev.vertlet.provider.node.ResourceStats.Memory;
import dev.vertlet.simulated.rule.Consumption;
import dev.vertlet.simulated.rule.UsageRule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sums up the resource usage of one node's running containers. */
final class UsageMeter {
  private final long now;

  /** Whether all statistics are measured instead of those for evictions alone. */
  private final boolean whole;

  private final Map<String, PodUsage> pods = new HashMap<>();
  private long memory;
  private long storage;
  private long nanoCores;
  private long nanoSeconds;

  private UsageMeter(long now, boolean whole) {
    this.now = now;
    this.whole = whole;
  }

  /**
   * Measures the resources that evictions depend on.
   *
   * @param pods pods of the node
   * @param images bytes of the node's images
   * @param capacity capacity of the node: resource name to quantity
   * @param now epoch milliseconds
   */
  static NodeUsage measure(
      List<SimulatedPod> pods, long images, Map<String, String> capacity, long now) {
    UsageMeter meter = new UsageMeter(now, false);
    meter.storage = images;
    pods.forEach(meter::add);
    return meter.usage(capacity, ResourceStats.NONE);
  }

  /**
   * Measures all statistics.
   *
   * @param node null for a node on which nothing has run yet
   * @param images bytes of the node's images
   * @param since start of the node's accounting, epoch milliseconds
   */
  static NodeUsage measureAll(
      @Nullable SimulatedNode node,
      long images,
      Map<String, String> capacity,
      long since,
      long now) {
    UsageMeter meter = new UsageMeter(now, true);
    meter.storage = images;
    if (node != null) {
      node.pods().forEach(meter::add);
      meter.nanoSeconds += node.spent();
    }
    UsageRule idleCpu = rule(Consumption.IDLE.cpu());
    meter.memory += rule(Consumption.IDLE.memory()).at(since, now);
    Cpu cpu =
        new Cpu(
            meter.nanoCores + idleCpu.at(since, now),
            meter.nanoSeconds + idleCpu.total(since, now));
    return meter.usage(
        capacity,
        new ResourceStats(
            Instant.ofEpochMilli(since),
            cpu,
            new Memory(meter.memory, meter.memory, meter.memory, null, null),
            null,
            null));
  }

  private NodeUsage usage(Map<String, String> capacity, ResourceStats stats) {
    return new NodeUsage(
        whole ? Instant.ofEpochMilli(now) : null,
        supply(capacity.get("memory"), memory),
        supply(capacity.get("ephemeral-storage"), storage),
        null,
        null,
        null,
        null,
        pods,
        stats);
  }

  private void add(SimulatedPod pod) {
    List<ContainerUsage> containers = new ArrayList<>(1);
    long podCores = 0;
    for (Instance instance : pod.instances()) {
      if (instance.running()) {
        containers.add(container(instance));
        podCores += whole ? instance.nanoCores(now) : 0;
      }
    }
    ResourceStats stats = ResourceStats.NONE;
    if (whole) {
      long podSeconds = pod.nanoSeconds(now);
      nanoCores += podCores;
      nanoSeconds += podSeconds;
      stats = new ResourceStats(null, new Cpu(podCores, podSeconds));
    }
    pods.put(
        pod.ref.uid(), new PodUsage(containers, Disk.NONE, containers.size(), Map.of(), stats));
  }

  private ContainerUsage container(Instance instance) {
    Consumption taken = instance.consumption();
    if (whole) {
      taken = taken.or(Consumption.IDLE);
    }
    long since = instance.measuredFrom();
    long bytes = rule(taken.memory()).at(since, now);
    long written = rule(taken.storage()).at(since, now);
    memory += bytes;
    storage += written;
    ResourceStats stats =
        whole
            ? new ResourceStats(
                Instant.ofEpochMilli(since),
                new Cpu(instance.nanoCores(now), instance.nanoSeconds(now)),
                new Memory(null, bytes, bytes, null, null),
                null,
                null)
            : ResourceStats.NONE;
    return new ContainerUsage(
        instance.record().name(), bytes, new Disk(written, 0), Disk.NONE, stats);
  }

  /** Returns the rule; zero usage when it is unset. */
  static UsageRule rule(@Nullable UsageRule rule) {
    return rule == null ? UsageRule.NOTHING : rule;
  }

  private static @Nullable Supply supply(@Nullable String capacity, long taken) {
    if (capacity == null) {
      return null;
    }
    long all = Quantities.units(capacity);
    return new Supply(Math.max(0, all - taken), all);
  }
}
