package dev.vertlet.eviction;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.resource.Quantities;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.node.NodeUsage.ContainerUsage;
import dev.vertlet.provider.node.NodeUsage.PodUsage;
import dev.vertlet.provider.node.NodeUsage.Supply;
import java.time.Duration;
import java.util.Comparator;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A shortage of a node for which a pod must be evicted.
 *
 * @param supply available and total amount
 */
public record Shortage(Threshold threshold, Supply supply, NodeUsage usage) {
  /** Reason of the pod's status and of its event. */
  public static final String REASON = "Evicted";

  /** Grace period of an immediate eviction (immediateEvictionGracePeriodSeconds). */
  public static final Duration AT_ONCE = Duration.ofSeconds(1);

  /** Resource that is short, as events name it. */
  public String resource() {
    return threshold.signal().resource();
  }

  /** Whether removing unused images can relieve the shortage. */
  public boolean ofImages() {
    return switch (threshold.signal()) {
      case IMAGEFS_AVAILABLE, IMAGEFS_INODES_FREE -> true;
      case NODEFS_AVAILABLE, NODEFS_INODES_FREE -> usage.imageFs() == null;
      case MEMORY_AVAILABLE, PID_AVAILABLE -> false;
    };
  }

  /** Order of eviction, the first victim first. */
  public Comparator<PodView> order() {
    return EvictionOrder.of(threshold.signal(), usage);
  }

  /** Grace period of an evicted pod. */
  public Duration grace(PodView pod, EvictionOptions options) {
    if (threshold.hard()) {
      return AT_ONCE;
    }
    Duration own = Duration.ofSeconds(pod.spec().terminationGracePeriodSeconds());
    return own.compareTo(options.maxPodGrace()) < 0 ? own : options.maxPodGrace();
  }

  /**
   * A kubelet's message: the resource that is short, and the containers that use more than their
   * request.
   */
  public String message(PodView pod) {
    StringBuilder text = new StringBuilder("The node was low on resource: ").append(resource());
    text.append(". Threshold quantity: ").append(threshold.value().format(supply.capacity()));
    text.append(", available: ").append(threshold.signal().format(supply.available()));
    text.append(". ");
    PodUsage used = usage.pods().get(pod.uid());
    if (used != null) {
      used.containers().forEach(container -> blame(pod, container, text));
    }
    return text.toString();
  }

  private void blame(PodView pod, ContainerUsage used, StringBuilder text) {
    ContainerView container = find(pod, used.name());
    OptionalLong amount = amount(used);
    if (container == null || amount.isEmpty()) {
      return;
    }
    String asked = container.resources().requests().getOrDefault(resource(), "0");
    if (amount.getAsLong() > Quantities.units(asked)) {
      text.append("Container ").append(used.name());
      text.append(" was using ").append(Quantities.binary(amount.getAsLong()));
      text.append(", request is ").append(asked);
      text.append(", has larger consumption of ").append(resource()).append(". ");
    }
  }

  /** Usage of a container; only memory and disk bytes are reported per container. */
  private OptionalLong amount(ContainerUsage used) {
    return switch (resource()) {
      case "memory" -> OptionalLong.of(used.memory());
      case "ephemeral-storage" -> OptionalLong.of(used.rootFs().plus(used.logs()).bytes());
      default -> OptionalLong.empty();
    };
  }

  private static @Nullable ContainerView find(PodView pod, String name) {
    return Stream.concat(pod.spec().containers().stream(), pod.spec().initContainers().stream())
        .filter(container -> container.name().equals(name))
        .findFirst()
        .orElse(null);
  }
}
