package dev.vertlet.eviction;

import dev.vertlet.admission.Pressure;
import dev.vertlet.model.resource.Quantities;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.node.NodeUsage.Supply;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Watched resources of a node, in the order in which shortages are relieved.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/eviction/helpers.go">
 *     eviction/helpers.go, kubelet 1.36.3</a>
 */
public enum EvictionSignal {
  MEMORY_AVAILABLE("memory.available", "memory", Pressure.MEMORY, NodeUsage::memory),
  NODEFS_AVAILABLE("nodefs.available", "ephemeral-storage", Pressure.DISK, NodeUsage::nodeFs),
  NODEFS_INODES_FREE("nodefs.inodesFree", "inodes", Pressure.DISK, NodeUsage::nodeFsInodes),
  IMAGEFS_AVAILABLE("imagefs.available", "ephemeral-storage", Pressure.DISK, NodeUsage::imageFs),
  IMAGEFS_INODES_FREE("imagefs.inodesFree", "inodes", Pressure.DISK, NodeUsage::imageFsInodes),
  PID_AVAILABLE("pid.available", "pids", Pressure.PID, NodeUsage::pids);

  private final String key;
  private final String resource;
  private final Pressure pressure;
  private final Function<NodeUsage, @Nullable Supply> supply;

  EvictionSignal(
      String key,
      String resource,
      Pressure pressure,
      Function<NodeUsage, @Nullable Supply> supply) {
    this.key = key;
    this.resource = resource;
    this.pressure = pressure;
    this.supply = supply;
  }

  /** Name in configurations. */
  public String key() {
    return key;
  }

  /** Resource of the signal, as events name it. */
  public String resource() {
    return resource;
  }

  /** Pressure of a node below a threshold. */
  public Pressure pressure() {
    return pressure;
  }

  /** Returns null if the resource is not measured. */
  @Nullable Supply of(NodeUsage usage) {
    return supply.apply(usage);
  }

  /** Formats an available amount as Kubernetes does: bytes in powers of 1024, others of 1000. */
  String format(long amount) {
    boolean bytes = resource.equals("memory") || resource.equals("ephemeral-storage");
    return (bytes ? Quantities.binary(amount) : Quantities.decimal(amount)).toString();
  }

  /** Returns the signal of this name. */
  public static Optional<EvictionSignal> named(String key) {
    return Arrays.stream(values()).filter(signal -> signal.key.equals(key)).findFirst();
  }

  /** Names of all signals. */
  public static List<String> keys() {
    return Arrays.stream(values()).map(EvictionSignal::key).toList();
  }
}
