package dev.vertlet.eviction;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Eviction settings of one node.
 *
 * @param thresholds if empty, no pod is evicted and the node is never under pressure
 * @param maxPodGrace maximum time a pod has to end under a soft threshold, 0 or more
 * @param transitionPeriod how long a node stays under pressure after a threshold was last met, 0 or
 *     more
 */
public record EvictionOptions(
    List<Threshold> thresholds, Duration maxPodGrace, Duration transitionPeriod) {
  /** Hard thresholds of a kubelet (eviction/defaults_linux.go, 1.36.3). */
  public static final Map<String, String> DEFAULT_HARD =
      Map.of(
          "memory.available", "100Mi",
          "nodefs.available", "10%",
          "nodefs.inodesFree", "5%",
          "imagefs.available", "15%",
          "imagefs.inodesFree", "5%");

  /** A kubelet's evictionPressureTransitionPeriod. */
  public static final Duration DEFAULT_TRANSITION = Duration.ofMinutes(5);

  public static final EvictionOptions DEFAULTS =
      new EvictionOptions(hard(DEFAULT_HARD), Duration.ZERO, DEFAULT_TRANSITION);

  public EvictionOptions {
    thresholds = List.copyOf(thresholds);
    if (maxPodGrace.isNegative() || transitionPeriod.isNegative()) {
      throw new IllegalArgumentException("periods of eviction must not be negative");
    }
  }

  private static List<Threshold> hard(Map<String, String> values) {
    return new TreeMap<>(values)
        .entrySet().stream()
            .flatMap(
                entry ->
                    Threshold.parse(
                        EvictionSignal.named(entry.getKey()).orElseThrow(),
                        entry.getValue(),
                        Duration.ZERO,
                        null)
                        .stream())
            .toList();
  }
}
