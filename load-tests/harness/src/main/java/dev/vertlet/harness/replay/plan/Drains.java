package dev.vertlet.harness.replay.plan;

import dev.vertlet.trace.PodLife;
import dev.vertlet.trace.PodTimes;
import dev.vertlet.trace.RecordedNode;
import dev.vertlet.trace.TraceEvent;
import dev.vertlet.trace.WorkloadRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the pods that were deleted from nodes between their cordon and their departure. A cluster's
 * controllers do not repeat these deletions by themselves.
 */
final class Drains {
  /** How long after a scaling its controller's own deletions are expected. */
  private static final long SCALING_MILLIS = 2_000;

  private final Recording recording;
  private final PlanOptions options;
  private final Map<String, List<PodLife>> byNode = new HashMap<>();
  private final Map<WorkloadRef, List<Long>> reductions = new HashMap<>();

  private Drains(Recording recording, PlanOptions options) {
    this.recording = recording;
    this.options = options;
  }

  /** Steps in order of their nodes' departures. */
  static List<Step.Evict> of(Recording recording, PlanOptions options) {
    return new Drains(recording, options).steps();
  }

  private List<Step.Evict> steps() {
    for (PodLife life : recording.lives()) {
      String node = life.node();
      if (node != null) {
        byNode.computeIfAbsent(node, name -> new ArrayList<>()).add(life);
      }
    }
    Map<String, Long> cordoned = new HashMap<>();
    List<Step.Evict> steps = new ArrayList<>();
    for (TraceEvent event : recording.events()) {
      if (event instanceof TraceEvent.NodeAdded added) {
        follow(cordoned, added.at(), added.node());
      } else if (event instanceof TraceEvent.NodeChanged changed) {
        follow(cordoned, changed.at(), changed.node());
      } else if (event instanceof TraceEvent.WorkloadScaled scaled) {
        reduced(scaled.workload(), scaled.at());
      } else if (event instanceof TraceEvent.WorkloadDeleted deleted) {
        reduced(deleted.workload(), deleted.at());
      } else if (event instanceof TraceEvent.NodeLeft left) {
        Long from = cordoned.remove(left.name());
        if (from != null) {
          evictions(left, from, steps);
        }
      }
    }
    return steps;
  }

  private static void follow(Map<String, Long> cordoned, long at, RecordedNode node) {
    if (node.unschedulable()) {
      cordoned.putIfAbsent(node.name(), at);
    } else {
      cordoned.remove(node.name());
    }
  }

  private void reduced(WorkloadRef workload, long at) {
    reductions.computeIfAbsent(workload, key -> new ArrayList<>()).add(at);
  }

  private void evictions(TraceEvent.NodeLeft left, long from, List<Step.Evict> steps) {
    for (PodLife life : byNode.getOrDefault(left.name(), List.of())) {
      WorkloadRef owner = life.identity().owner();
      long end = end(life.times());
      if (end >= Math.max(1, from)
          && end < left.at()
          && !owner.isBarePod()
          && !byController(owner, end)) {
        for (int copy = 0; copy < options.scale(); copy++) {
          steps.add(new Step.Evict(options.due(end), NodeManifests.copy(left.name(), copy), owner));
        }
      }
    }
  }

  /** When the deletion of a living pod was requested; -1 for others. */
  private static long end(PodTimes at) {
    Long end = at.deleting() == null ? at.gone() : at.deleting();
    return end == null || at.ended() != null && at.ended() < end ? -1 : end;
  }

  private boolean byController(WorkloadRef owner, long deleted) {
    return reductions.getOrDefault(owner, List.of()).stream()
        .anyMatch(at -> at <= deleted && deleted <= at + SCALING_MILLIS);
  }
}
