package dev.vertlet.eviction;

import dev.vertlet.model.ContainerView;
import dev.vertlet.model.PodView;
import dev.vertlet.model.Quantities;
import dev.vertlet.provider.NodeUsage;
import dev.vertlet.provider.NodeUsage.ContainerUsage;
import dev.vertlet.provider.NodeUsage.PodUsage;
import dev.vertlet.provider.NodeUsage.Supply;
import java.time.Duration;
import java.util.Comparator;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A node is short of something, and a pod has to go.
 *
 * @param supply what there is of it
 */
public record Shortage(Threshold threshold, Supply supply, NodeUsage usage) {
  /** Reason of the pod's status and of its event. */
  public static final String REASON = "Evicted";

  /** A pod that must go at once has a second to end (immediateEvictionGracePeriodSeconds). */
  public static final Duration AT_ONCE = Duration.ofSeconds(1);

  /** What the node is short of, as events name it. */
  public String resource() {
    return threshold.signal().resource();
  }

  /** Whether images that nothing uses take what is short. */
  public boolean ofImages() {
    return switch (threshold.signal()) {
      case IMAGEFS_AVAILABLE, IMAGEFS_INODES_FREE -> true;
      case NODEFS_AVAILABLE, NODEFS_INODES_FREE -> usage.imageFs() == null;
      case MEMORY_AVAILABLE, PID_AVAILABLE -> false;
    };
  }

  /** The pod that goes first comes first. */
  public Comparator<PodView> order() {
    return EvictionOrder.of(threshold.signal(), usage);
  }

  /** How long the pod may take to end. */
  public Duration grace(PodView pod, EvictionOptions options) {
    if (threshold.hard()) {
      return AT_ONCE;
    }
    Duration own = Duration.ofSeconds(pod.spec().terminationGracePeriodSeconds());
    return own.compareTo(options.maxPodGrace()) < 0 ? own : options.maxPodGrace();
  }

  /** A kubelet's words: what is missing, and which containers take more than they asked for. */
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

  /** Containers are told apart by memory and by bytes on disk only. */
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
