package dev.vertlet.simulated;

import dev.vertlet.model.Quantities;
import dev.vertlet.provider.NodeUsage;
import dev.vertlet.provider.NodeUsage.ContainerUsage;
import dev.vertlet.provider.NodeUsage.Disk;
import dev.vertlet.provider.NodeUsage.PodUsage;
import dev.vertlet.provider.NodeUsage.Supply;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Adds up what the running containers of one node take of its capacity. */
final class UsageMeter {
  private final Map<String, PodUsage> pods = new HashMap<>();
  private long memory;
  private long storage;

  private UsageMeter() {}

  /**
   * @param pods of the node
   * @param capacity of the node: resource name to quantity
   */
  static NodeUsage measure(List<SimulatedPod> pods, Map<String, String> capacity) {
    UsageMeter meter = new UsageMeter();
    pods.forEach(meter::add);
    return new NodeUsage(
        null,
        supply(capacity.get("memory"), meter.memory),
        supply(capacity.get("ephemeral-storage"), meter.storage),
        null,
        null,
        null,
        null,
        meter.pods);
  }

  private void add(SimulatedPod pod) {
    List<ContainerUsage> containers = new ArrayList<>(1);
    for (Instance instance : pod.instances()) {
      if (instance.running()) {
        Consumption taken = instance.consumption();
        memory += taken.memoryBytes();
        storage += taken.storageBytes();
        containers.add(
            new ContainerUsage(
                instance.record().name(),
                taken.memoryBytes(),
                new Disk(taken.storageBytes(), 0),
                Disk.NONE));
      }
    }
    pods.put(pod.ref.uid(), new PodUsage(containers, Disk.NONE, containers.size()));
  }

  private static @Nullable Supply supply(@Nullable String capacity, long taken) {
    if (capacity == null) {
      return null;
    }
    long all = Quantities.units(capacity);
    return new Supply(Math.max(0, all - taken), all);
  }
}
