package dev.vertlet.eviction;

import dev.vertlet.admission.Pressure;
import dev.vertlet.provider.NodeUsage;
import dev.vertlet.provider.NodeUsage.Supply;
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
 * What was seen of one node: of what it is short, since when, and whether a pod has to go for it.
 *
 * <pre>
 *   met now, or met before and not yet resolved ──▶ pressure, until the transition period is over
 *                └─ for its grace, by new figures ──▶ shortage: a pod has to go
 * </pre>
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/eviction/eviction_manager.go">
 *     synchronize, kubelet 1.36.3</a>
 */
public final class EvictionState {
  /** Memory first, then in the order of the signals; what cannot wait before what can. */
  private static final Comparator<Threshold> URGENCY =
      Comparator.comparing(Threshold::signal).thenComparing(Threshold::grace);

  private final EvictionOptions options;

  /** Thresholds whose grace was over at the last look. */
  private Set<Threshold> overdue = Set.of();

  private Map<Threshold, Instant> metSince = Map.of();
  private final Map<Pressure, Instant> lastSeen = new EnumMap<>(Pressure.class);
  private Set<Pressure> pressures = Set.of();
  private @Nullable Instant lastMeasured;

  public EvictionState(EvictionOptions options) {
    this.options = options;
  }

  /** What the node counts as short of. */
  public Set<Pressure> pressures() {
    return pressures;
  }

  /**
   * Takes a look at the node.
   *
   * @return for what a pod has to go now
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

  /** Figures of before the last eviction do not tell what it gave. */
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
