package dev.vertlet.eviction;

import dev.vertlet.admission.Pressure;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.node.NodeUsage.Supply;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Eviction state of one node: its pressures, since when thresholds are met, and whether a pod must
 * be evicted.
 *
 * <pre>
 *   met now, or met before and not yet resolved ──▶ pressure, until the transition period is over
 *                └─ for its grace, by new figures ──▶ shortage: a pod must be evicted
 * </pre>
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/eviction/eviction_manager.go">
 *     synchronize, kubelet 1.36.3</a>
 */
public final class EvictionState {
  /** Memory first, then in the order of the signals; hard thresholds before soft ones. */
  private static final Comparator<Threshold> URGENCY =
      Comparator.comparing(Threshold::signal).thenComparing(Threshold::grace);

  private final EvictionOptions options;

  /** Thresholds whose grace was over at the last observation. */
  private Set<Threshold> overdue = Set.of();

  private Map<Threshold, Instant> metSince = Map.of();
  private final Map<Pressure, Instant> lastSeen = new EnumMap<>(Pressure.class);
  private Set<Pressure> pressures = Set.of();
  private @Nullable Instant lastMeasured;

  public EvictionState(EvictionOptions options) {
    this.options = options;
  }

  /** Current pressures of the node. */
  public Set<Pressure> pressures() {
    return pressures;
  }

  /**
   * Evaluates new usage figures.
   *
   * @return the shortage for which a pod must be evicted now
   */
  public Optional<Shortage> observe(NodeUsage usage, Instant now) {
    Map<Threshold, Instant> since = new HashMap<>();
    for (Threshold threshold : options.thresholds()) {
      Supply supply = threshold.signal().of(usage);
      boolean met =
          supply != null
              && (threshold.metBy(supply)
                  || (overdue.contains(threshold) && threshold.unresolvedBy(supply)));
      if (met) {
        since.put(threshold, metSince.getOrDefault(threshold, now));
        lastSeen.put(threshold.signal().pressure(), now);
      }
    }
    metSince = since;
    Set<Pressure> recent = EnumSet.noneOf(Pressure.class);
    lastSeen.forEach(
        (pressure, at) -> {
          if (at.plus(options.transitionPeriod()).isAfter(now)) {
            recent.add(pressure);
          }
        });
    pressures = Set.copyOf(recent);
    List<Threshold> due = new ArrayList<>();
    since.forEach(
        (threshold, at) -> {
          if (!at.plus(threshold.grace()).isAfter(now)) {
            due.add(threshold);
          }
        });
    overdue = Set.copyOf(due);
    return fresh(usage)
        ? due.stream().min(URGENCY).map(first -> shortage(first, usage))
        : Optional.empty();
  }

  /** Whether the figures are new: older ones do not show the effect of the last eviction. */
  private boolean fresh(NodeUsage usage) {
    Instant measured = usage.measuredAt();
    Instant before = lastMeasured;
    lastMeasured = measured;
    return measured == null || before == null || measured.isAfter(before);
  }

  private static Shortage shortage(Threshold threshold, NodeUsage usage) {
    Supply supply = threshold.signal().of(usage);
    if (supply == null) {
      throw new IllegalStateException(threshold + " was met by nothing");
    }
    return new Shortage(threshold, supply, usage);
  }
}
