package dev.vertlet.eviction;

import dev.vertlet.model.pod.PodRequests;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.node.NodeUsage.ContainerUsage;
import dev.vertlet.provider.node.NodeUsage.Disk;
import dev.vertlet.provider.node.NodeUsage.PodUsage;
import java.util.Comparator;
import java.util.function.ToLongBiFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Ranks pods for eviction: first those that use more than their request, then by priority, then by
 * the usage above the request. Pods without figures come before all others.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/eviction/helpers.go">
 *     rankMemoryPressure, rankDiskPressureFunc, rankPIDPressure, kubelet 1.36.3</a>
 */
final class EvictionOrder {
  private static final Comparator<PodView> PRIORITY =
      Comparator.comparingInt(pod -> pod.spec().priority());

  private final NodeUsage usage;

  private EvictionOrder(NodeUsage usage) {
    this.usage = usage;
  }

  static Comparator<PodView> of(EvictionSignal signal, NodeUsage usage) {
    EvictionOrder order = new EvictionOrder(usage);
    return switch (signal) {
      case MEMORY_AVAILABLE ->
          order.byExcess(EvictionOrder::memory, PodRequests::memory, PodRequests::memory);
      case NODEFS_AVAILABLE, IMAGEFS_AVAILABLE ->
          order.byExcess(
              pod -> order.disk(signal, pod).bytes(),
              PodRequests::ephemeralStorage,
              PodRequests::ephemeralStorage);
      case NODEFS_INODES_FREE, IMAGEFS_INODES_FREE ->
          // pods have no inode requests; kubelets compare inodes with the requested bytes
          order.byExcess(
              pod -> order.disk(signal, pod).inodes(),
              requests -> 0,
              PodRequests::ephemeralStorage);
      case PID_AVAILABLE ->
          PRIORITY.thenComparing(
              order.known((pod, used) -> used.processes(), Comparator.reverseOrder()));
    };
  }

  private Comparator<PodView> byExcess(
      ToLongFunction<PodUsage> used,
      ToLongFunction<PodRequests> asked,
      ToLongFunction<PodRequests> weighed) {
    Comparator<PodView> over =
        known(
            (pod, u) -> used.applyAsLong(u) > asked.applyAsLong(requests(pod)) ? 0 : 1,
            Comparator.naturalOrder());
    Comparator<PodView> most =
        known(
            (pod, u) -> used.applyAsLong(u) - weighed.applyAsLong(requests(pod)),
            Comparator.reverseOrder());
    return over.thenComparing(PRIORITY).thenComparing(most);
  }

  /** Compares by a figure; pods without figures come first and are equal. */
  private Comparator<PodView> known(
      ToLongBiFunction<PodView, PodUsage> figure, Comparator<Long> order) {
    return (a, b) -> {
      PodUsage usedByA = used(a);
      PodUsage usedByB = used(b);
      if (usedByA == null || usedByB == null) {
        return Boolean.compare(usedByA != null, usedByB != null);
      }
      return order.compare(figure.applyAsLong(a, usedByA), figure.applyAsLong(b, usedByB));
    };
  }

  private @Nullable PodUsage used(PodView pod) {
    return usage.pods().get(pod.uid());
  }

  private static PodRequests requests(PodView pod) {
    return pod.spec().placement().requests();
  }

  private static long memory(PodUsage pod) {
    long sum = 0;
    for (ContainerUsage container : pod.containers()) {
      sum += container.memory();
    }
    return sum;
  }

  /**
   * Usage of the pod on the signal's file system; all its disk usage if the node has one file
   * system.
   */
  private Disk disk(EvictionSignal signal, PodUsage pod) {
    boolean oneDisk = usage.imageFs() == null;
    boolean images =
        signal == EvictionSignal.IMAGEFS_AVAILABLE || signal == EvictionSignal.IMAGEFS_INODES_FREE;
    Disk sum = oneDisk || !images ? pod.volumes() : Disk.NONE;
    for (ContainerUsage container : pod.containers()) {
      if (oneDisk || images) {
        sum = sum.plus(container.rootFs());
      }
      if (oneDisk || !images) {
        sum = sum.plus(container.logs());
      }
    }
    return sum;
  }
}
