package dev.vertlet.stats;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.node.NodeUsage.PodUsage;
import dev.vertlet.provider.node.NodeUsage.Supply;
import dev.vertlet.provider.node.ResourceStats;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Input of the documents: one node, its measured usage and its pods.
 *
 * @param pods pods of the node, in any order; usage of other pods is not shown. A mirror pod
 *     represents its static pod, which need not be listed
 * @param now time of the usage request, used when the usage has no timestamp
 */
public record Measured(NodeSpec node, NodeUsage usage, Collection<PodView> pods, Instant now) {
  private static final Comparator<MeasuredPod> BY_NAME =
      Comparator.comparing((MeasuredPod pod) -> pod.ref().namespace())
          .thenComparing(pod -> pod.ref().name())
          .thenComparing(pod -> pod.ref().uid());

  public Measured {
    pods = List.copyOf(pods);
  }

  /** Returns the timestamp of the measurement. */
  Instant at() {
    Instant measured = usage.measuredAt();
    return measured == null ? now : measured;
  }

  /** Returns the pods with a measurement, by namespace and name. */
  List<MeasuredPod> measuredPods() {
    Map<String, MeasuredPod> measured = new HashMap<>();
    for (PodView pod : pods) {
      PodRef mirrored = pod.mirrorOf();
      PodRef ref = mirrored == null ? pod.ref() : mirrored;
      PodUsage used = usage.pods().get(ref.uid());
      if (used != null) {
        measured.put(ref.uid(), new MeasuredPod(ref, pod, used));
      }
    }
    List<MeasuredPod> sorted = new ArrayList<>(measured.values());
    sorted.sort(BY_NAME);
    return sorted;
  }

  /** Returns the node's working set in bytes; null when it is unknown. */
  @Nullable Long workingSet() {
    ResourceStats.Memory memory = usage.stats().memory();
    if (memory != null && memory.workingSet() != null) {
      return memory.workingSet();
    }
    Supply supply = usage.memory();
    return supply == null ? null : supply.capacity() - supply.available();
  }
}
